// What a JSON document may look like, as data: a tree of descriptors that validation, defaults, the
// published JSON Schema and the Markdown reference all walk, so that they cannot disagree. This
// file knows nothing of scenes; scene_schema.hpp describes them with it.
#pragma once

#include <pliant/scene/json.hpp>
#include <pliant/scene/vocabulary.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <variant>

namespace pliant::schema {

struct Schema;
using SchemaRef = std::shared_ptr<const Schema>;

struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false, max_open = false;  // open: the bound itself is excluded
};

struct NumberSchema {
  std::string unit;  // empty: a pure number
  Range range{};
  bool integer = false;
};
struct BooleanSchema {
  bool only_true = false;  // a mark such as {"all": true}
};
struct TextSchema {
  enum class Form { free, name, path, expression } form = Form::free;
};
struct ChoiceSchema {
  std::string what;  // singular, for messages: "integrator"
  Names names;
  std::string list{};  // the list of the vocabulary it comes from, if any: "integrators"
};
struct ListSchema {
  SchemaRef item;
  std::size_t min_items = 0;
  std::size_t max_items = std::numeric_limits<std::size_t>::max();
};
struct MapSchema {  // an object whose keys are names that the user gives
  SchemaRef item;
  std::string what;  // "material"
};
struct UnionSchema {  // told apart by the kind of JSON value, so at most one option of each kind
  std::vector<SchemaRef> options;
};
struct NamedSchema {  // a reference to a definition; the way to recursion
  std::string definition;
};

struct Field {
  std::string key;
  SchemaRef schema;
  std::string doc;  // one line
  bool required = false;
  std::optional<std::string> fallback{};  // the default as JSON text
  // A default that depends on the other members: sets it in the record, which is otherwise
  // complete.
  void (*derive)(Json& record) = nullptr;
  std::string derived_doc{};  // that default in words
};

// Exactly one (or, if not required, at most one) of several keys, each with companions that make
// sense beside it only. Keys that several alternatives share have the same schema in each.
struct Alternative {
  Field field;
  std::vector<Field> companions{};
};
struct OneOf {
  std::string what;  // "mesh"
  std::vector<Alternative> alternatives;
  bool required = true;
};

struct Member;
// Members that depend on the value of a choice earlier in the record (the tag).
struct Variant {
  std::vector<std::string> names;
  std::vector<Member> members;
};
struct Variants {
  std::string tag;
  std::vector<Variant> variants;
};
struct Member : std::variant<Field, OneOf, Variants> {
  using variant::variant;
};

struct RecordSchema {
  std::vector<Member> members;
  std::vector<std::string> reserved{};  // keys promised for later versions
};

struct Schema {
  std::variant<NumberSchema, BooleanSchema, TextSchema, ChoiceSchema, ListSchema, MapSchema,
               UnionSchema, NamedSchema, RecordSchema>
      kind;
};

struct Definition {
  std::string name, doc;
  SchemaRef schema;
};
struct DocumentSchema {
  std::string title;
  SchemaRef root;
  std::vector<Definition> definitions;

  const Definition& definition(std::string_view name) const;
  const Schema& resolve(const Schema& schema) const;  // follows references
};

// Makers, so that a description reads like a table.
template <class Kind>
SchemaRef make(Kind kind) {
  return std::make_shared<const Schema>(Schema{std::move(kind)});
}
SchemaRef number(std::string unit = "");
SchemaRef positive(std::string unit = "");
SchemaRef nonnegative(std::string unit = "");
SchemaRef within(Range range, std::string unit = "");
SchemaRef integer(double min, double max);
SchemaRef boolean();
SchemaRef mark();
SchemaRef text(TextSchema::Form form = TextSchema::Form::free);
SchemaRef list(SchemaRef item, std::size_t min_items = 0,
               std::size_t max_items = std::numeric_limits<std::size_t>::max());
SchemaRef triple(SchemaRef item);                      // [x, y, z]
SchemaRef matrix();                                    // three rows of three numbers
SchemaRef curve(int values, const std::string& unit);  // rows of t (s) and values
SchemaRef either(std::vector<SchemaRef> options);
SchemaRef named(std::string definition);
SchemaRef record(std::vector<Member> members, std::vector<std::string> reserved = {});

Field required(std::string key, SchemaRef schema, std::string doc);
Field optional(std::string key, SchemaRef schema, std::string doc);
Field fallback(std::string key, std::string json, SchemaRef schema, std::string doc);

}  // namespace pliant::schema
