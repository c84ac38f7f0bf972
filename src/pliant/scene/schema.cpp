#include <pliant/scene/schema.hpp>

#include <algorithm>
#include <cassert>

namespace pliant::schema {

const Definition& DocumentSchema::definition(std::string_view name) const {
  const auto found = std::find_if(definitions.begin(), definitions.end(),
                                  [&](const Definition& d) { return d.name == name; });
  assert(found != definitions.end());
  return *found;
}

const Schema& DocumentSchema::resolve(const Schema& schema) const {
  const Schema* at = &schema;
  while (const auto* reference = std::get_if<NamedSchema>(&at->kind))
    at = definition(reference->definition).schema.get();
  return *at;
}

SchemaRef number(std::string unit) { return make(NumberSchema{std::move(unit)}); }
SchemaRef positive(std::string unit) {
  return make(NumberSchema{std::move(unit), {.min = 0, .min_open = true}});
}
SchemaRef nonnegative(std::string unit) { return make(NumberSchema{std::move(unit), {.min = 0}}); }
SchemaRef within(Range range, std::string unit) {
  return make(NumberSchema{std::move(unit), range});
}
SchemaRef integer(double min, double max) {
  return make(NumberSchema{"", {.min = min, .max = max}, true});
}
SchemaRef boolean() { return make(BooleanSchema{}); }
SchemaRef mark() { return make(BooleanSchema{true}); }
SchemaRef text(TextSchema::Form form) { return make(TextSchema{form}); }
SchemaRef list(SchemaRef item, std::size_t min_items, std::size_t max_items) {
  return make(ListSchema{std::move(item), min_items, max_items});
}
SchemaRef triple(SchemaRef item) { return list(std::move(item), 3, 3); }
SchemaRef matrix() { return triple(triple(number())); }
SchemaRef curve(int values, const std::string& unit) {
  const auto columns = static_cast<std::size_t>(values) + 1;
  return list(list(number("s, then " + unit), columns, columns), 1);
}
SchemaRef either(std::vector<SchemaRef> options) { return make(UnionSchema{std::move(options)}); }
SchemaRef named(std::string definition) { return make(NamedSchema{std::move(definition)}); }
SchemaRef record(std::vector<Member> members, std::vector<std::string> reserved) {
  return make(RecordSchema{std::move(members), std::move(reserved)});
}

Field required(std::string key, SchemaRef schema, std::string doc) {
  return {std::move(key), std::move(schema), std::move(doc), true};
}
Field optional(std::string key, SchemaRef schema, std::string doc) {
  return {std::move(key), std::move(schema), std::move(doc)};
}
Field fallback(std::string key, std::string json, SchemaRef schema, std::string doc) {
  return {std::move(key), std::move(schema), std::move(doc), false, std::move(json)};
}

}  // namespace pliant::schema
