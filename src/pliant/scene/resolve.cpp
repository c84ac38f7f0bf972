#include <pliant/core/error.hpp>
#include <pliant/core/suggest.hpp>
#include <pliant/scene/expression.hpp>
#include <pliant/scene/problems.hpp>
#include <pliant/scene/resolve.hpp>
#include <pliant/scene/scene_schema.hpp>
#include <pliant/scene/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace pliant {

using namespace schema;

namespace {

bool accepts_kind(const Schema& schema, const Json& value) {
  return std::visit(
      [&](const auto& kind) {
        using Kind = std::decay_t<decltype(kind)>;
        if constexpr (std::is_same_v<Kind, NumberSchema>)
          return value.is_number();
        else if constexpr (std::is_same_v<Kind, BooleanSchema>)
          return value.is_boolean();
        else if constexpr (std::is_same_v<Kind, ListSchema>)
          return value.is_array();
        else if constexpr (std::is_same_v<Kind, TextSchema> || std::is_same_v<Kind, ChoiceSchema>)
          return value.is_string();
        else
          return value.is_object();
      },
      schema.kind);
}

// A string such as "5 ms" or "0.1".
bool begins_with_number(const Json& value) {
  if (!value.is_string()) return false;
  const auto& text = value.get_ref<const std::string&>();
  const std::size_t first = text.find_first_not_of(" +-.");
  return first != std::string::npos && text[first] >= '0' && text[first] <= '9';
}

std::vector<std::string> keys_of(const std::vector<Member>& members) {
  std::vector<std::string> keys;
  for (const Member& member : members) {
    if (const auto* field = std::get_if<Field>(&member)) keys.push_back(field->key);
    if (const auto* choice = std::get_if<OneOf>(&member))
      for (const Alternative& alternative : choice->alternatives) {
        keys.push_back(alternative.field.key);
        for (const Field& companion : alternative.companions) keys.push_back(companion.key);
      }
  }
  return keys;
}

bool is_part_of_transform(const std::string& key) {
  return key == "scale" || key == "translate" || key == "rotate";
}

class Resolver {
 public:
  Resolver(const DocumentSchema& document, std::string_view name)
      : document_(document), problems_(name) {}

  Json run(const Json& value) {
    Json resolved = visit(*document_.root, value, "");
    problems_.throw_if_any();
    return resolved;
  }

 private:
  // What a record has been found to hold, beyond the keys of its members.
  struct Keys {
    std::vector<std::string> known;
    // Keys of other alternatives or variants, with what they do not fit: {"split", "\"sphere\""}.
    std::vector<std::pair<std::string, std::string>> misplaced;
    bool complete = true;  // false: the tag is wrong, so unknown keys cannot be told

    bool has(const std::string& key) const {
      return std::find(known.begin(), known.end(), key) != known.end();
    }
    void add(const std::string& key) {
      if (!has(key)) known.push_back(key);
    }
  };

  Json visit(const Schema& schema, const Json& value, const std::string& at) {
    const Schema& target = document_.resolve(schema);
    if (const auto* options = std::get_if<UnionSchema>(&target.kind))
      return one_of(*options, value, at);
    if (!accepts_kind(target, value)) {
      refuse_kind(target, value, at);
      return value;
    }
    return std::visit([&](const auto& kind) { return check(kind, value, at); }, target.kind);
  }

  Json one_of(const UnionSchema& options, const Json& value, const std::string& at) {
    const bool number =
        std::any_of(options.options.begin(), options.options.end(), [&](const SchemaRef& option) {
          return std::holds_alternative<NumberSchema>(document_.resolve(*option).kind);
        });
    // "5ms" is meant as a number also where a word could stand.
    if (!(number && begins_with_number(value)))
      for (const SchemaRef& option : options.options)
        if (accepts_kind(document_.resolve(*option), value)) return visit(*option, value, at);
    refuse_kind(Schema{options}, value, at);
    return value;
  }

  void refuse_kind(const Schema& schema, const Json& value, const std::string& at) {
    const std::string wanted = expected(document_, schema);
    const bool unit = wanted.find("number (") != std::string::npos && begins_with_number(value);
    problems_.add(at, fmt::format("must be {}, got {}{}", wanted, shown(value),
                                  unit ? "; numbers stand without quotes and units" : ""));
  }

  Json check(const NumberSchema& schema, const Json& value, const std::string& at) {
    const double x = value.get<double>();
    if (!std::isfinite(x) || (schema.integer && x != std::round(x))) {
      problems_.add(
          at, fmt::format("must be {}, got {}",
                          schema.integer ? "a whole number" : "a finite number", shown(value)));
      return value;
    }
    if (const std::string bound = violated_bound(schema.range, x); !bound.empty())
      problems_.add(at, fmt::format("must be {}, got {}", bound, shown(value)));
    else if (schema.integer && !value.is_number_integer())
      return static_cast<std::int64_t>(x);
    return value;
  }

  Json check(const BooleanSchema& schema, const Json& value, const std::string& at) {
    if (schema.only_true && !value.get<bool>())
      problems_.add(at, "must be true, or left out, got false");
    return value;
  }

  Json check(const TextSchema& schema, const Json& value, const std::string& at) {
    const auto& text = value.get_ref<const std::string&>();
    if (const std::string problem = problem_of_text(schema.form, text); !problem.empty())
      problems_.add(at, problem);
    return value;
  }

  Json check(const ChoiceSchema& schema, const Json& value, const std::string& at) {
    const auto& word = value.get_ref<const std::string&>();
    const Name* name = find_name(schema.names, word);
    if (name && !name->available)
      problems_.add(at, fmt::format("\"{}\" is not yet available", word));
    else if (!name)
      problems_.add(at, fmt::format("unknown {} {}{}", schema.what, shown(value),
                                    suggestion(word, available_names(schema.names))));
    return value;
  }

  Json check(const ListSchema& schema, const Json& value, const std::string& at) {
    if (value.size() < schema.min_items || value.size() > schema.max_items) {
      problems_.add(
          at, fmt::format("must be {}, got {}", expected(document_, Schema{schema}), shown(value)));
      return value;
    }
    Json resolved = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i)
      resolved.push_back(visit(*schema.item, value[i], fmt::format("{}/{}", at, i)));
    return resolved;
  }

  Json check(const MapSchema& schema, const Json& value, const std::string& at) {
    Json resolved = Json::object();
    for (const auto& [key, item] : value.items()) {
      const std::string item_at = pointer_to(at, key);
      if (const std::string problem = problem_of_text(TextSchema::Form::name, key);
          !problem.empty())
        problems_.add(item_at, fmt::format("a {}'s name {}", schema.what, problem));
      append(resolved, key, visit(*schema.item, item, item_at));
    }
    return resolved;
  }

  Json check(const RecordSchema& schema, const Json& value, const std::string& at) {
    const std::size_t problems_before = problems_.count();
    Json resolved = Json::object();
    Keys keys;
    add_members(schema.members, {value, at}, resolved, keys);
    refuse_other_keys(schema, {value, at}, keys);
    if (problems_.count() == problems_before) derive(schema.members, resolved);
    return resolved;
  }

  // Unions and references never get here: visit() has followed them.
  Json check(const UnionSchema&, const Json& value, const std::string&) { return value; }
  Json check(const NamedSchema&, const Json& value, const std::string&) { return value; }

  struct Place {
    const Json& value;
    const std::string& at;
  };

  void add_members(const std::vector<Member>& members, Place place, Json& resolved, Keys& keys) {
    for (const Member& member : members) {
      if (const auto* field = std::get_if<Field>(&member)) add_field(*field, place, resolved, keys);
      if (const auto* choice = std::get_if<OneOf>(&member))
        add_one_of(*choice, place, resolved, keys);
      if (const auto* variants = std::get_if<Variants>(&member))
        add_variant(*variants, place, resolved, keys);
    }
  }

  void add_field(const Field& field, Place place, Json& resolved, Keys& keys) {
    keys.add(field.key);
    const std::string field_at = pointer_to(place.at, field.key);
    if (const auto given = place.value.find(field.key); given != place.value.end())
      append(resolved, field.key, visit(*field.schema, *given, field_at));
    else if (field.required)
      problems_.add(place.at,
                    fmt::format("needs \"{}\", {}", field.key, expected(document_, *field.schema)));
    else if (field.fallback)
      append(resolved, field.key, visit(*field.schema, Json::parse(*field.fallback), field_at));
  }

  void add_one_of(const OneOf& choice, Place place, Json& resolved, Keys& keys) {
    std::vector<const Alternative*> given;
    for (const Alternative& alternative : choice.alternatives) {
      keys.add(alternative.field.key);
      if (place.value.contains(alternative.field.key)) given.push_back(&alternative);
    }
    const std::string all = quoted_keys(choice);
    if (given.size() > 1) {
      problems_.add(place.at, fmt::format("\"{}\" and \"{}\" exclude each other: give one of {}",
                                          given[0]->field.key, given[1]->field.key, all));
      keys.complete = false;
      return;
    }
    const Alternative* chosen = given.empty() ? nullptr : given[0];
    if (chosen) {
      add_field(chosen->field, place, resolved, keys);
      for (const Field& companion : chosen->companions) add_field(companion, place, resolved, keys);
    } else if (choice.required) {
      problems_.add(place.at, fmt::format("needs a {}: one of {}", choice.what, all));
    }
    for (const Alternative& alternative : choice.alternatives)
      for (const Field& companion : alternative.companions)
        keys.misplaced.emplace_back(
            companion.key, chosen ? fmt::format("\"{}\"", chosen->field.key) : choice.what);
  }

  void add_variant(const Variants& variants, Place place, Json& resolved, Keys& keys) {
    const auto tag = resolved.find(variants.tag);
    const std::string value =
        tag != resolved.end() && tag->is_string() ? tag->get<std::string>() : "";
    const Variant* chosen = nullptr;
    for (const Variant& variant : variants.variants)
      if (std::find(variant.names.begin(), variant.names.end(), value) != variant.names.end())
        chosen = &variant;
    if (!chosen) {  // the tag itself has been reported
      keys.complete = false;
      return;
    }
    add_members(chosen->members, place, resolved, keys);
    const std::string what = fmt::format("{} \"{}\"", variants.tag, value);
    for (const Variant& variant : variants.variants)
      for (const std::string& key : keys_of(variant.members))
        keys.misplaced.emplace_back(key, what);
  }

  void refuse_other_keys(const RecordSchema& schema, Place place, const Keys& keys) {
    const auto reserved = [&](const std::string& key) {
      return std::find(schema.reserved.begin(), schema.reserved.end(), key) !=
             schema.reserved.end();
    };
    for (const auto& [key, item] : place.value.items()) {
      if (keys.has(key)) continue;
      const std::string at = pointer_to(place.at, key);
      const std::string& word = key;
      const auto misplaced = std::find_if(keys.misplaced.begin(), keys.misplaced.end(),
                                          [&](const auto& entry) { return entry.first == word; });
      if (misplaced != keys.misplaced.end())
        problems_.add(at, fmt::format("\"{}\" does not apply to {}", key, misplaced->second));
      else if (reserved(key))
        problems_.add(at, fmt::format("\"{}\" is not yet available", key));
      else if (place.at.ends_with("/mesh") && is_part_of_transform(key))
        problems_.add(at,
                      fmt::format("unknown key; it stands in \"transform\" beside \"mesh\": "
                                  "{{\"transform\": {{\"{}\": …}}}}, and lengths of the mesh, such "
                                  "as \"size\", are those before it",
                                  key));
      else if (keys.complete)
        problems_.add(at, fmt::format("unknown key{}", suggestion(key, keys.known)));
    }
  }

  // Defaults that depend on other members; they are computed last and then put in their place.
  void derive(const std::vector<Member>& members, Json& resolved) {
    bool changed = false;
    for (const Member& member : members)
      if (const auto* field = std::get_if<Field>(&member))
        if (field->derive && !resolved.contains(field->key)) {
          field->derive(resolved);
          changed = true;
        }
    if (!changed) return;
    Json ordered = Json::object();
    for (const std::string& key : keys_of(members))  // alternatives may share companions
      if (const auto found = resolved.find(key); found != resolved.end() && !ordered.contains(key))
        append(ordered, key, std::move(*found));
    resolved = std::move(ordered);
  }

  // Keys of a resolved record differ, so they are appended without a search.
  static void append(Json& object, const std::string& key, Json value) {
    static_cast<Json::object_t::Container&>(object.get_ref<Json::object_t&>())
        .emplace_back(key, std::move(value));
  }

  const DocumentSchema& document_;
  Problems problems_;
};

}  // namespace

namespace {

// The default method is not one of those that keep constraints.
constexpr const char* kKeepsConstraints = "trbdf2";
// By its estimate, steps that are chosen are 5 to 25 times as long as by those of the two.
constexpr const char* kChoosesSteps = "esdirk32";

// Bodies by se3 are held together by some.
bool has_constraints(const Json& scene) {
  if (!scene.is_object()) return false;
  if (const auto list = scene.find("constraints"); list != scene.end() && !list->empty())
    return true;
  const auto bodies = scene.find("bodies");
  return bodies != scene.end() && bodies->is_array() &&
         std::any_of(bodies->begin(), bodies->end(), [](const Json& body) {
           return body.is_object() && body.contains("formulation") && body["formulation"] == "se3";
         });
}

bool says(const Json& scene, const char* pointer, const char* word) {
  const Json::json_pointer at(pointer);
  return scene.contains(at) && scene.at(at) == word;
}

// Where it is not the one that the schema has; null: it is.
const char* default_integrator(const Json& scene) {
  if (says(scene, "/time/dt", "auto")) return kChoosesSteps;
  return has_constraints(scene) ? kKeepsConstraints : nullptr;
}

bool has_hard_constraints(const Json& scene) {
  if (!has_constraints(scene)) return false;
  const auto list = scene.find("constraints");
  if (list == scene.end() || !list->is_array() || list->empty()) return true;  // of se3
  return std::any_of(list->begin(), list->end(), [](const Json& constraint) {
    const auto compliance = constraint.find("compliance");
    return !constraint.is_object() || compliance == constraint.end() || *compliance == 0;
  });
}

// Whoever writes a block about contact means that there is some.
void mean_contact(Json& scene) {
  const auto contact = scene.find("contact");
  if (contact != scene.end() && contact->is_object() && !contact->contains("method"))
    (*contact)["method"] = "barrier";
}

const char* default_energy(const Json& scene) {
  return says(scene, "/contact/method", "barrier") || has_hard_constraints(scene) ? "redo" : "warn";
}

}  // namespace

Json resolve(const Json& value, const DocumentSchema& document, std::string_view name) {
  return Resolver(document, name).run(value);
}

Json resolve(const Json& scene, const Vocabulary& vocabulary, std::string_view name) {
  if (!scene.is_object()) return resolve(scene, scene_schema(vocabulary), name);
  Json with = scene;
  mean_contact(with);
  const char* integrator = default_integrator(with);
  if (integrator && !with.contains("integrator")) with["integrator"] = integrator;
  if (!with.contains("energy")) with["energy"] = default_energy(with);
  return resolve(with, scene_schema(vocabulary), name);
}

}  // namespace pliant
