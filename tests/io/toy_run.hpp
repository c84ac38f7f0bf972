// A stand-in for a simulation that writes a whole result folder, for the tests of killing and
// resuming.
#pragma once

#include <pliant/io/result_folder.hpp>

#include <string>
#include <vector>

namespace pliant::fixtures {

inline const RunSetup toy_setup = {"{\"scene\": 1}\n", "hash", {{"tip"}, {"work"}}};

inline ResultFolder open_folder(const std::filesystem::path& folder, ExistingResults existing,
                                const RunSetup& setup = toy_setup) {
  return {folder, existing, setup, Log()};
}

// Eight points that move chaotically, so that one wrong bit in a resumed state changes everything
// after it.
class ToyRun {
 public:
  static constexpr std::int64_t steps = 90;

  ToyRun() {
    for (std::size_t i = 0; i < 24; ++i) q_.push_back(0.1 + 0.03 * static_cast<double>(i));
    v_.assign(24, 0.0);
    blocks_ = {{ElementType::hex8, {0, 1, 2, 3, 4, 5, 6, 7}, {0}}};
  }

  void run(const std::filesystem::path& path, ExistingResults existing) {
    ResultFolder folder = open_folder(path, existing);
    const FrameBodyCells cells{8, blocks_, material_};
    const VtuWriter writer({&cells, 1});
    if (folder.resumed()) {
      q_ = folder.resumed()->array("q");
      v_ = folder.resumed()->array("v");
      step_ = folder.resumed()->integer("step");
    } else {
      record(folder, writer);
    }
    while (step_ < steps) {
      advance();
      record(folder, writer);
    }
    Summary summary;
    summary.steps = step_;
    summary.state_hash = state_hash(q_, v_);
    folder.write_summary(summary);
  }

 private:
  void advance() {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double next = 3.99 * q_[i] * (1 - q_[i]);  // the logistic map, chaotic at 3.99
      v_[i] = next - q_[i];
      q_[i] = next;
    }
    ++step_;
  }

  void record(ResultFolder& folder, const VtuWriter& writer) {
    HistoryRow row;
    const std::optional<double> work = q_[3];
    row.step = step_;
    row.time = 0.01 * static_cast<double>(step_);
    row.total = q_[1];
    row.probes = std::span(q_).first(3);
    row.extras = {&work, 1};
    folder.history().append(row);
    folder.log().write({LogLevel::info, row.time, "step done"});
    if (step_ % 2 == 0) folder.add_frame(writer, {row.time, step_, {{q_, v_, {}}}, {}, {}});
    if (step_ % 3 == 0) folder.write_checkpoint(step_, {{{"q", q_}, {"v", v_}}, {}, {}});
  }

  std::int64_t step_ = 0;
  std::vector<double> q_, v_;
  std::vector<ElementBlock> blocks_;
  std::vector<Index> material_ = {0};
};

}  // namespace pliant::fixtures
