// What every file of the Python module needs: objects of Python that C++ may keep and let go of on
// any thread, arrays that look into memory of ours and keep its owner alive, arrays that came from
// a callback, and the way into the library without the lock of the interpreter.
#pragma once

#include <pliant/core/types.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace pliant::python {

namespace py = pybind11;

// Terms and laws are destroyed by the library, which does not hold the interpreter's lock.
using Held = std::shared_ptr<py::object>;
inline Held hold(py::object object) {
  return Held(new py::object(std::move(object)), [](py::object* kept) {
    const py::gil_scoped_acquire lock;
    delete kept;
  });
}

// Of classes that Python sees. pybind11 gives an object whose __init__ was never called memory that
// nothing is in, by this operator; all that are truly made are made by make_shared.
struct OnlyByInit {
  static void* operator new(std::size_t) {
    throw py::type_error("the object is empty: its __init__ was not called");
  }
};

// Keeps `owner` alive as long as an array looks into it.
template <class T>
py::capsule capsule_of(std::shared_ptr<T> owner) {
  return py::capsule(new std::shared_ptr<T>(std::move(owner)),
                     [](void* kept) { delete static_cast<std::shared_ptr<T>*>(kept); });
}

// No copy. The array is writable only where that is asked for.
template <class T>
py::array array_over(const T* data, std::vector<py::ssize_t> shape, const py::object& owner,
                     bool writable = false) {
  py::array array(py::dtype::of<T>(), std::move(shape), data, owner);
  if (!writable) array.attr("flags").attr("writeable") = false;
  return array;
}

inline py::array_t<double> copy_of(std::span<const double> x, std::vector<py::ssize_t> shape) {
  py::array_t<double> out(std::move(shape));
  std::copy(x.begin(), x.end(), out.mutable_data());
  return out;
}
// Three numbers a node.
inline py::array_t<double> copy_of_nodes(std::span<const double> x) {
  return copy_of(x, {static_cast<py::ssize_t>(x.size() / 3), 3});
}

// The numbers of an array that Python code gave, row by row. InputError, beginning with `what`,
// where it has another shape or holds no real numbers.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
Numbers numbers_of(const py::handle& given, const std::vector<py::ssize_t>& shape,
                   const std::string& what);
std::string in_words(const std::vector<py::ssize_t>& shape);
// InputError where one is not finite: "q[12] is nan; …".
void require_finite(std::span<const double> x, const std::string& what);

// A call into the library, with the interpreter free for other threads.
template <class Work>
auto released(Work&& work) {
  const py::gil_scoped_release release;
  return work();
}

// The name of the class of an object.
inline std::string class_of(const py::handle& object) {
  return py::str(py::type::of(object).attr("__name__"));
}

}  // namespace pliant::python
