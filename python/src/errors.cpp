// Errors of the library as exceptions of Python with the same words. The classes themselves are
// Python's (pliant/errors.py), where they can have two bases.
#include "module.hpp"

#include <pliant/core/error.hpp>

namespace pliant::python {
namespace {

void raise(const char* name, const char* words) {
  const py::object type = py::module_::import("pliant.errors").attr(name);
  PyErr_SetString(type.ptr(), words);
}

void translate(std::exception_ptr thrown) {
  if (!thrown) return;
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("InputError", error.what());
  } catch (const InfeasibleStart& error) {
    raise("InfeasibleStart", error.what());
  } catch (const CannotContinue& error) {
    raise("StepFailed", error.what());
  } catch (const WriteError& error) {
    raise("WriteError", error.what());
  } catch (const Error& error) {
    raise("Error", error.what());
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(translate); }

}  // namespace pliant::python
