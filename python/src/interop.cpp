#include "interop.hpp"

#include <pliant/core/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace pliant::python {

std::string in_words(const std::vector<py::ssize_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0])
                           : fmt::format("({})", fmt::join(shape, ", "));
}

Numbers numbers_of(const py::handle& given, const std::vector<py::ssize_t>& shape,
                   const std::string& what) {
  const std::string wanted =
      shape.empty() ? "a number" : fmt::format("numbers of shape {}", in_words(shape));
  py::array array;
  try {
    array = py::array::ensure(given);
  } catch (const py::error_already_set&) {  // what it raised says less than we do below
  }
  if (!array)
    throw InputError(fmt::format("{} must be {}, got a {}", what, wanted, class_of(given)));
  // Booleans, whole numbers and floats; complex ones would lose half of themselves.
  if (std::string("biuf").find(array.dtype().kind()) == std::string::npos)
    throw InputError(fmt::format("{} must be {}, got an array of {}", what, wanted,
                                 std::string(py::str(array.dtype()))));
  const std::vector<py::ssize_t> got(array.shape(), array.shape() + array.ndim());
  if (got != shape)
    throw InputError(fmt::format("{} must be {}, got shape {}", what, wanted, in_words(got)));
  Numbers numbers = Numbers::ensure(array);
  if (!numbers) throw py::error_already_set();
  return numbers;
}

void require_finite(std::span<const double> x, const std::string& what) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (!std::isfinite(x[k]))
      throw InputError(fmt::format("{}[{}] is {}; all of them must be finite", what, k,
                                   std::isnan(x[k]) ? "nan"
                                   : x[k] > 0       ? "inf"
                                                    : "-inf"));
}

}  // namespace pliant::python
