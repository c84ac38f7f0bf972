// The ways a run can end that are not our own bug, one type for each exit status of the command
// line. They are thrown at the boundary (reading, set-up, writing) with one sentence that says
// where, what, what would be right and what was found. Numerical failure inside a step is a status,
// not an exception; it becomes CannotContinue only after every retry has failed.
#pragma once

#include <stdexcept>
#include <string>

namespace pliant {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  virtual int exit_status() const noexcept { return 1; }
};

class InputError : public Error {  // a file, a key or a value is wrong
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 2; }
};

class InfeasibleStart : public Error {  // intersections, inverted or zero-volume elements
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 3; }
};

class CannotContinue : public Error {  // what failed, when, after which retries
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 4; }
};

class WriteError : public Error {  // a result could not be written
 public:
  using Error::Error;
  int exit_status() const noexcept override { return 5; }
};

}  // namespace pliant
