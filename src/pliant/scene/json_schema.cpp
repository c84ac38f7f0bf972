#include <pliant/scene/json_schema.hpp>
#include <pliant/scene/wording.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pliant {

using namespace schema;

namespace {

Json of(const Schema& schema);

Json bound(double value) {  // whole numbers without ".0"
  if (value == std::round(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

Json of(const NumberSchema& schema) {
  Json out = {{"type", schema.integer ? "integer" : "number"}};
  const Range& range = schema.range;
  if (std::isfinite(range.min))
    out[range.min_open ? "exclusiveMinimum" : "minimum"] = bound(range.min);
  if (std::isfinite(range.max))
    out[range.max_open ? "exclusiveMaximum" : "maximum"] = bound(range.max);
  if (!schema.unit.empty()) out["unit"] = schema.unit;
  return out;
}

Json of(const BooleanSchema& schema) {
  Json out = {{"type", "boolean"}};
  if (schema.only_true) out["enum"] = {true};
  return out;
}

Json of(const TextSchema& schema) {
  Json out = {{"type", "string"}};
  if (schema.form != TextSchema::Form::free) out["minLength"] = 1;
  if (schema.form == TextSchema::Form::name) {
    out["maxLength"] = max_name_length;
    out["pattern"] = name_pattern();
  }
  return out;
}

Json of(const ChoiceSchema& schema) {
  const std::vector<std::string> names = available_names(schema.names);
  if (names.empty()) return {{"not", Json::object()}};
  return {{"type", "string"}, {"enum", names}};
}

Json of(const ListSchema& schema) {
  Json out = {{"type", "array"}, {"items", of(*schema.item)}};
  if (schema.min_items > 0) out["minItems"] = schema.min_items;
  if (schema.max_items != std::numeric_limits<std::size_t>::max())
    out["maxItems"] = schema.max_items;
  return out;
}

Json of(const MapSchema& schema) {
  return {{"type", "object"},
          {"propertyNames", of(TextSchema{TextSchema::Form::name})},
          {"additionalProperties", of(*schema.item)}};
}

Json of(const UnionSchema& schema) {
  Json options = Json::array();
  for (const SchemaRef& option : schema.options) {
    const auto* choice = std::get_if<ChoiceSchema>(&option->kind);
    if (!choice || !available_names(choice->names).empty()) options.push_back(of(*option));
  }
  return options.size() == 1 ? options[0] : Json{{"anyOf", options}};
}

Json of(const NamedSchema& schema) { return {{"$ref", "#/definitions/" + schema.definition}}; }

// A keyword beside "$ref" would be ignored in draft-07, so such fields carry their reference in
// allOf.
Json property(const Field& field) {
  Json out = of(*field.schema);
  if (out.contains("$ref")) out = {{"allOf", Json::array({out})}};
  out["description"] = field.doc;
  if (field.fallback) out["default"] = Json::parse(*field.fallback);
  return out;
}

// The parts of an object schema, gathered from the members of a record.
struct Object {
  Json properties = Json::object();
  Json required = Json::array();
  Json conditions = Json::array();  // allOf

  void add(const Field& field) {
    properties[field.key] = property(field);
    if (field.required) required.push_back(field.key);
  }

  // {"required": [key and needed companions], "not": {"anyOf": [other keys and companions]}} for
  // each alternative.
  void add(const OneOf& choice) {
    Json options = Json::array();
    for (const Alternative& alternative : choice.alternatives) {
      properties[alternative.field.key] = property(alternative.field);
      std::vector<std::string> own = {alternative.field.key};
      Json needed = Json::array({alternative.field.key});
      for (const Field& companion : alternative.companions) {
        properties[companion.key] = property(companion);
        own.push_back(companion.key);
        if (companion.required) needed.push_back(companion.key);
      }
      Json foreign = foreign_keys(choice, own);
      Json option = {{"required", needed}};
      if (!foreign.empty()) option["not"] = {{"anyOf", foreign}};
      options.push_back(option);
    }
    if (!choice.required) options.push_back({{"not", {{"anyOf", foreign_keys(choice, {})}}}});
    conditions.push_back({{"anyOf", options}});
  }

  static Json foreign_keys(const OneOf& choice, const std::vector<std::string>& own) {
    Json keys = Json::array();
    const auto add = [&](const std::string& key) {
      const Json entry = {{"required", Json::array({key})}};
      if (std::find(own.begin(), own.end(), key) == own.end() &&
          std::find(keys.begin(), keys.end(), entry) == keys.end())
        keys.push_back(entry);
    };
    for (const Alternative& other : choice.alternatives) {
      add(other.field.key);
      for (const Field& companion : other.companions) add(companion.key);
    }
    return keys;
  }

  Json finish() const {
    Json out = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
    if (!required.empty()) out["required"] = required;
    if (!conditions.empty()) out["allOf"] = conditions;
    return out;
  }
};

void add_members(const std::vector<Member>& members, Object& object) {
  for (const Member& member : members) {
    if (const auto* field = std::get_if<Field>(&member)) object.add(*field);
    if (const auto* choice = std::get_if<OneOf>(&member)) object.add(*choice);
  }
}

// With variants, one complete object for each, told apart by its tag.
Json of(const RecordSchema& schema) {
  Object common;
  add_members(schema.members, common);
  for (const Member& member : schema.members) {
    const auto* variants = std::get_if<Variants>(&member);
    if (!variants) continue;
    Json options = Json::array();
    for (const Variant& variant : variants->variants) {
      Object object = common;
      Json& tag = object.properties[variants->tag];
      tag["enum"] = variant.names;
      const auto fallback = tag.find("default");
      const auto& names = variant.names;
      if (fallback != tag.end() &&
          std::find(names.begin(), names.end(), fallback->get<std::string>()) == names.end())
        object.required.push_back(variants->tag);
      add_members(variant.members, object);
      options.push_back(object.finish());
    }
    return options.size() == 1 ? options[0] : Json{{"oneOf", options}};
  }
  return common.finish();
}

Json of(const Schema& schema) {
  return std::visit([](const auto& kind) { return of(kind); }, schema.kind);
}

}  // namespace

Json json_schema(const DocumentSchema& document) {
  Json out = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", document.title}};
  out.update(of(*document.root));
  Json definitions = Json::object();
  for (const Definition& definition : document.definitions) {
    Json entry = {{"description", definition.doc}};
    entry.update(of(*definition.schema));
    definitions[definition.name] = entry;
  }
  out["definitions"] = definitions;
  return out;
}

}  // namespace pliant
