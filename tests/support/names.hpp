// Names of parameterised tests, from methods that have a dash in theirs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace pliant::test {

template <class Parameter>
std::string method_name(const ::testing::TestParamInfo<Parameter>& info) {
  std::string name(info.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace pliant::test
