#include <pliant/core/error.hpp>
#include <pliant/scene/expression.hpp>
#include <pliant/scene/wording.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pliant::schema {
namespace {

std::string with_unit(std::string words, const std::string& unit) {
  return unit.empty() ? words : fmt::format("{} ({})", words, unit);
}

std::string join_or(const std::vector<std::string>& words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i)
    joined += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return joined;
}

std::string list_in_words(const DocumentSchema& document, const ListSchema& list) {
  constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();
  std::string items = "items";
  const Schema& item = document.resolve(*list.item);
  if (const auto* number = std::get_if<NumberSchema>(&item.kind))
    items = with_unit(number->integer ? "whole numbers" : "numbers", number->unit);
  if (const auto* row = std::get_if<ListSchema>(&item.kind))
    items = fmt::format("rows of {} {}", row->min_items,
                        std::holds_alternative<NumberSchema>(document.resolve(*row->item).kind)
                            ? "numbers"
                            : "items");
  if (list.min_items == list.max_items)
    return fmt::format("a list of {} {}", list.min_items, items);
  if (list.max_items != unbounded)
    return fmt::format("a list of {} to {} {}", list.min_items, list.max_items, items);
  if (list.min_items > 0) return fmt::format("a list of at least {} {}", list.min_items, items);
  return fmt::format("a list of {}", items);
}

}  // namespace

std::string expected(const DocumentSchema& document, const Schema& schema) {
  const Schema& target = document.resolve(schema);
  if (const auto* number = std::get_if<NumberSchema>(&target.kind))
    return with_unit(number->integer ? "a whole number" : "a number", number->unit);
  if (const auto* boolean = std::get_if<BooleanSchema>(&target.kind))
    return boolean->only_true ? "true" : "true or false";
  if (const auto* list = std::get_if<ListSchema>(&target.kind))
    return list_in_words(document, *list);
  if (const auto* choice = std::get_if<ChoiceSchema>(&target.kind))
    return choice->names.size() == 1 ? fmt::format("\"{}\"", choice->names[0].name)
                                     : fmt::format("a string, the {}", choice->what);
  if (const auto* text = std::get_if<TextSchema>(&target.kind))
    return text->form == TextSchema::Form::path         ? "a string, a file's path"
           : text->form == TextSchema::Form::expression ? "a string, a formula"
                                                        : "a string";
  if (const auto* options = std::get_if<UnionSchema>(&target.kind)) {
    std::vector<std::string> words;
    for (const SchemaRef& option : options->options) {
      const auto* choice = std::get_if<ChoiceSchema>(&document.resolve(*option).kind);
      if (choice && available_names(choice->names).empty()) continue;  // nothing to offer yet
      words.push_back(expected(document, *option));
    }
    return join_or(words);
  }
  return "an object";
}

std::string violated_bound(const Range& range, double x) {
  if (range.min_open ? x <= range.min : x < range.min)
    return fmt::format("{} {}", range.min_open ? "above" : "at least", range.min);
  if (range.max_open ? x >= range.max : x > range.max)
    return fmt::format("{} {}", range.max_open ? "below" : "at most", range.max);
  return {};
}

std::string range_in_words(const Range& range) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::string words;
  if (range.min != -infinity) words = fmt::format("{} {}", range.min_open ? ">" : "≥", range.min);
  if (range.max != infinity)
    words +=
        fmt::format("{}{} {}", words.empty() ? "" : ", ", range.max_open ? "<" : "≤", range.max);
  return words;
}

std::string_view name_pattern() { return "^[^,\"\x01-\x1f]+$"; }

std::string problem_of_text(TextSchema::Form form, std::string_view text) {
  if (form == TextSchema::Form::free) return {};
  if (text.empty()) return "must not be empty";
  if (text.find('\0') != std::string_view::npos) return "must not contain a NUL character";
  if (form == TextSchema::Form::expression) {
    try {
      Expression(text, "xyz");
    } catch (const InputError& error) {
      return error.what();
    }
  }
  if (form != TextSchema::Form::name) return {};
  const auto length = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  if (length > max_name_length)
    return fmt::format("must have at most {} characters, got {}", max_name_length, length);
  const auto bad = [](unsigned char c) { return c == ',' || c == '"' || c < 0x20; };
  if (std::any_of(text.begin(), text.end(), bad))
    return "must not contain commas, quotation marks or control characters";
  return {};
}

std::string quoted_keys(const OneOf& choice) {
  std::vector<std::string> words;
  for (const Alternative& alternative : choice.alternatives)
    words.push_back(fmt::format("\"{}\"", alternative.field.key));
  return join_or(words);
}

}  // namespace pliant::schema
