#include "json.hpp"

#include <pliant/core/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace pliant::python {
namespace {

struct Place {
  const std::string& name;
  std::string pointer;
  std::size_t depth = 0;

  Place at(std::string_view key) const { return {name, pointer_to(pointer, key), depth + 1}; }
  [[noreturn]] void refuse(const std::string& words) const {
    throw InputError(fmt::format("{}#{}: {}", name, pointer, words));
  }
};

Json convert(const py::handle& value, const Place& place);

Json whole_number(const py::handle& value, const Place& place) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (overflow != 0) place.refuse("the whole number is beyond what a scene can hold");
  return number;
}

Json record(const py::dict& dict, const Place& place) {
  Json out = Json::object();
  for (const auto& [key, value] : dict) {
    if (!py::isinstance<py::str>(key))
      place.refuse(fmt::format("keys must be strings, got {}", std::string(py::repr(key))));
    const std::string word = py::cast<std::string>(key);
    out[word] = convert(value, place.at(word));
  }
  return out;
}

Json list(const py::sequence& sequence, const Place& place) {
  Json out = Json::array();
  std::size_t k = 0;
  for (const py::handle item : sequence)
    out.push_back(convert(item, place.at(std::to_string(k++))));
  return out;
}

Json number(double value, const Place& place) {
  if (!std::isfinite(value)) place.refuse(fmt::format("must be a finite number, got {}", value));
  return value;
}

Json convert(const py::handle& value, const Place& place) {
  if (place.depth > max_json_depth)
    place.refuse(fmt::format("is nested deeper than {} levels", max_json_depth));
  if (value.is_none()) return nullptr;
  if (py::isinstance<py::bool_>(value)) return py::cast<bool>(value);
  if (py::isinstance<py::int_>(value)) return whole_number(value, place);
  if (py::isinstance<py::float_>(value)) return number(py::cast<double>(value), place);
  if (py::isinstance<py::str>(value)) return py::cast<std::string>(value);
  if (py::isinstance<py::dict>(value))
    return record(py::reinterpret_borrow<py::dict>(value), place);
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
    return list(py::reinterpret_borrow<py::sequence>(value), place);
  if (py::hasattr(value, "__fspath__"))
    return py::cast<std::string>(py::str(value.attr("__fspath__")()));
  // Numpy's arrays and numbers, and whatever else knows itself as plain Python.
  if (py::hasattr(value, "tolist")) {
    const py::object plain = value.attr("tolist")();
    if (!py::hasattr(plain, "tolist")) return convert(plain, place);
  }
  place.refuse(fmt::format("a {} is nothing that a scene can hold", class_of(value)));
}

}  // namespace

Json to_json(const py::handle& value, const std::string& name) {
  return convert(value, {name, "", 0});
}

py::object from_json(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      py::dict out;
      for (const auto& [key, item] : value.items()) out[py::str(key)] = from_json(item);
      return out;
    }
    case Json::value_t::array: {
      py::list out;
      for (const Json& item : value) out.append(from_json(item));
      return out;
    }
    case Json::value_t::string:
      return py::str(value.get<std::string>());
    case Json::value_t::boolean:
      return py::bool_(value.get<bool>());
    case Json::value_t::number_integer:
      return py::int_(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return py::int_(value.get<std::uint64_t>());
    case Json::value_t::number_float:
      return py::float_(value.get<double>());
    default:
      return py::none();
  }
}

}  // namespace pliant::python
