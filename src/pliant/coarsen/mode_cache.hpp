// Modes that took long to compute, on disk: a file for each eigenvalue problem, named by a hash of
// all that goes into it (K, M, the mask, how many), so that nothing can be found that was computed
// from something else. Files are written whole or not at all; a damaged one is said and made again.
#pragma once

#include <pliant/coarsen/elastic_modes.hpp>
#include <pliant/core/log.hpp>

#include <filesystem>

namespace pliant {

class ModeCache {
 public:
  ModeCache() = default;  // keeps nothing
  explicit ModeCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // $PLIANT_CACHE, or a folder "pliant" where programs of this user keep such things; none where
  // there is no such place.
  static ModeCache of_user();

  const std::filesystem::path& folder() const { return folder_; }
  // The modes from the file, or from `compute`, which are then kept.
  ElasticModes find(const EigenProblem& problem, Index count, const Log& log,
                    const std::function<ElasticModes()>& compute) const;
  std::filesystem::path file_of(const EigenProblem& problem, Index count) const;

 private:
  std::filesystem::path folder_;  // empty: none
};

}  // namespace pliant
