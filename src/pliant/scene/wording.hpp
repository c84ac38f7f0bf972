// The words in which a schema says what it expects; shared by the error messages and the reference.
#pragma once

#include <pliant/scene/schema.hpp>

namespace pliant::schema {

// "a number (Pa)", "a list of 3 numbers (m)", "a string or an object".
std::string expected(const DocumentSchema& document, const Schema& schema);

// "below 0.5", or empty where x is in the range.
std::string violated_bound(const Range& range, double x);

// "> 0, < 0.5"; empty for no bounds.
std::string range_in_words(const Range& range);

// What is wrong with a string of this form; empty if nothing is.
std::string problem_of_text(TextSchema::Form form, std::string_view text);

// "\"box\", \"sphere\" or \"all\"".
std::string quoted_keys(const OneOf& choice);

// The pattern of names (bodies, materials, probes): they head columns of CSV files.
std::string_view name_pattern();
constexpr std::size_t max_name_length = 100;

}  // namespace pliant::schema
