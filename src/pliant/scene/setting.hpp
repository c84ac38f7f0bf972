// Edits from the command line: `--set time.dt=0.01`, `--set bodies.0.mesh.box.cells=[4,1,1]`.
#pragma once

#include <pliant/scene/json.hpp>

#include <functional>
#include <span>
#include <string>
#include <utility>

namespace pliant {

// The document with every default filled in; InputError where it is wrong or not whole.
using Completion = std::function<Json()>;

// An edit, and how the user said it, for messages.
struct Assignment {
  Assignment(std::string_view text) : text(text), said("--set " + std::string(text)) {}
  Assignment(const std::string& text) : Assignment(std::string_view(text)) {}
  Assignment(const char* text) : Assignment(std::string_view(text)) {}
  Assignment(std::string text, std::string said) : text(std::move(text)), said(std::move(said)) {}

  std::string text;  // key.path=value
  std::string said;  // "--set key.path=value", or another option that means this edit
};

// The path goes by keys of objects and numbers of list items, from 0. The value is JSON, or else a
// string as it stands; numbers may also be written ".1", "1." and "+1". Keys that are missing are
// made, from their default where an item of a list is meant (`gravity.1=-1`) and `complete` knows
// one; whether they make sense is for the schema to say. Throws InputError, beginning with how the
// assignment was said.
void apply_setting(Json& document, const Assignment& assignment, const Completion& complete = {});

// A message about the document with the assignments applied, as it should be said: lines
// "DOCUMENT#/time/dt: …" about what an assignment set begin with "--set time.dt=5ms: …" instead,
// since the user will not find it in the file; lines about what holds it name both.
std::string name_settings(std::string_view message, std::string_view document,
                          std::span<const Assignment> assignments);

}  // namespace pliant
