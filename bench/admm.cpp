// What the local–global solver costs (admm_parts.hpp).
//   bench_admm [local] [frames] [error]   prints a JSON document; in the project's folder, for its
//   scenes
#include "admm_parts.hpp"

#include <tbb/info.h>

#include <algorithm>
#include <cstdio>

int main(int count, char** words) {
  using namespace pliant::bench;
  const auto wanted = [&](std::string_view part) {
    return count < 2 || std::find(words + 1, words + count, part) != words + count;
  };
  nlohmann::ordered_json out = {{"benchmark", "admm"},
                                {"threads", tbb::info::default_concurrency()}};
  if (wanted("local")) out["local_steps"] = measure_local_steps();
  if (wanted("frames")) out["frames"] = measure_frames();
  if (wanted("error")) out["equal_error"] = measure_errors();
  std::printf("%s\n", out.dump(1).c_str());
}
