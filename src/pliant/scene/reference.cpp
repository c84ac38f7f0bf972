#include <pliant/scene/reference.hpp>
#include <pliant/scene/scene_schema.hpp>
#include <pliant/scene/wording.hpp>

#include <fmt/format.h>

namespace pliant {

using namespace schema;

namespace {

// GitHub's anchor of a heading.
std::string anchor(std::string_view heading) {
  std::string out;
  for (const char c : heading) out += c == ' ' ? '-' : c;
  return out;
}

std::string cell(std::string text) {  // a bar would end the table's cell
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  return text;
}

class Writer {
 public:
  explicit Writer(const DocumentSchema& document) : document_(document) {}

  void part(std::string_view heading, std::string_view doc, const Schema& schema) {
    out_ += fmt::format("## {}\n\n{}\n\n", heading, doc);
    if (const auto* record = std::get_if<RecordSchema>(&schema.kind))
      table_with_nested(std::string(heading), *record);
  }

  void names(std::string_view heading, const Names& names) {
    out_ += fmt::format("## {}\n\n| name | |\n|---|---|\n", heading);
    for (const Name& name : names)
      out_ += fmt::format("| `{}` | {} |\n", name.name,
                          name.available ? cell(name.doc) : "not yet available");
    out_ += "\n";
  }

  std::string take() { return std::move(out_); }

 private:
  // Records without a name of their own follow the one that holds them.
  void table_with_nested(const std::string& heading, const RecordSchema& record) {
    table(record);
    const std::vector<std::pair<std::string, const RecordSchema*>> nested = std::move(nested_);
    nested_.clear();
    for (const auto& [key, inner] : nested) {
      const std::string inner_heading = fmt::format("{}: {}", heading, key);
      out_ += fmt::format("### {}\n\n", inner_heading);
      table_with_nested(inner_heading, *inner);
    }
  }

  void table(const RecordSchema& record) {
    out_ += "| key | type | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
    rows(record.members, "");
    if (!record.reserved.empty()) {
      out_ += "\nNot yet available:";
      for (std::size_t i = 0; i < record.reserved.size(); ++i)
        out_ += fmt::format("{} `{}`", i ? "," : "", record.reserved[i]);
      out_ += "\n";
    }
    out_ += "\n";
  }

  void rows(const std::vector<Member>& members, const std::string& remark) {
    for (const Member& member : members) {
      if (const auto* field = std::get_if<Field>(&member)) row(*field, remark);
      if (const auto* choice = std::get_if<OneOf>(&member)) alternatives(*choice, remark);
      if (const auto* variants = std::get_if<Variants>(&member))
        for (const Variant& variant : variants->variants)
          rows(variant.members,
               variants->variants.size() > 1
                   ? fmt::format("{} {}", variants->tag, fmt::join(variant.names, ", "))
                   : remark);
    }
  }

  void alternatives(const OneOf& choice, const std::string& remark) {
    const std::string with_remark = remark.empty() ? "" : "; " + remark;
    const std::string one =
        fmt::format("{} one of {}", choice.required ? "exactly" : "at most", quoted_keys(choice));
    for (const Alternative& alternative : choice.alternatives) {
      Field field = alternative.field;
      field.required = false;  // by itself
      row(field, &alternative == choice.alternatives.data() ? one + with_remark : remark);
      for (const Field& companion : alternative.companions)
        row(companion, fmt::format("with `{}`", alternative.field.key) + with_remark);
    }
  }

  void row(const Field& field, const std::string& remark) {
    std::string unit, range;
    const std::string type = type_of(*field.schema, field.key, unit, range);
    const std::string standard = field.required   ? "required"
                                 : field.derive   ? field.derived_doc
                                 : field.fallback ? "`" + *field.fallback + "`"
                                                  : "–";
    out_ += fmt::format("| `{}` | {} | {} | {} | {} | {}{} |\n", field.key, cell(type), unit, range,
                        standard, cell(field.doc), remark.empty() ? "" : cell(" (" + remark + ")"));
  }

  std::string type_of(const Schema& schema, const std::string& key, std::string& unit,
                      std::string& range) {
    if (const auto* reference = std::get_if<NamedSchema>(&schema.kind))
      return fmt::format("[{}](#{})", reference->definition, anchor(reference->definition));
    if (const auto* number = std::get_if<NumberSchema>(&schema.kind)) {
      unit = number->unit.empty() ? "–" : number->unit;
      range = range_in_words(number->range);
      return number->integer ? "whole number" : "number";
    }
    if (const auto* choice = std::get_if<ChoiceSchema>(&schema.kind)) return choice_of(*choice);
    if (const auto* list = std::get_if<ListSchema>(&schema.kind)) {
      const std::string item = type_of(*list->item, key, unit, range);
      return list->min_items == list->max_items ? fmt::format("{} × {}", list->min_items, item)
                                                : fmt::format("list of {}", item);
    }
    if (const auto* map = std::get_if<MapSchema>(&schema.kind))
      return fmt::format("object: name → {}", type_of(*map->item, key, unit, range));
    if (const auto* options = std::get_if<UnionSchema>(&schema.kind)) {
      std::string words;
      for (const SchemaRef& option : options->options) {
        const std::string word = type_of(*option, key, unit, range);
        if (!word.empty()) words += (words.empty() ? "" : " or ") + word;
      }
      return words;
    }
    if (const auto* record = std::get_if<RecordSchema>(&schema.kind)) {
      nested_.emplace_back(key, record);
      return "object, below";
    }
    return expected(document_, schema)
        .substr(std::holds_alternative<TextSchema>(schema.kind) ? 2 : 0);
  }

  static std::string choice_of(const ChoiceSchema& choice) {
    if (!choice.list.empty()) return fmt::format("[name](#{})", anchor(choice.list));
    std::string words;
    for (const std::string& name : available_names(choice.names))
      words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", name);
    return words;
  }

  const DocumentSchema& document_;
  std::vector<std::pair<std::string, const RecordSchema*>> nested_;
  std::string out_;
};

}  // namespace

std::string markdown_reference(const DocumentSchema& document, const Vocabulary& vocabulary) {
  Writer writer(document);
  writer.part("scene",
              "The top level of the file. SI units, y up; `//` and `/* */` comments are allowed.",
              *document.root);
  for (const Definition& definition : document.definitions)
    writer.part(definition.name, definition.doc, *definition.schema);
  writer.names("integrators", vocabulary.integrators);
  writer.names("materials", vocabulary.materials);
  writer.names("damping models", vocabulary.damping);
  writer.names("solvers", vocabulary.solvers);
  writer.names("linear solvers", vocabulary.linear_solvers);
  writer.names("contact methods", vocabulary.contact);
  writer.names("body types", vocabulary.bodies);
  return "# " + document.title + "\n\n" + writer.take();
}

std::string scene_reference(const Vocabulary& vocabulary) {
  return markdown_reference(scene_schema(vocabulary), vocabulary);
}

}  // namespace pliant
