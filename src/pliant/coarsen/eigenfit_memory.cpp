#include <pliant/coarsen/eigenfit_memory.hpp>

namespace pliant {
namespace {

constexpr std::size_t kCounts = 12;

}  // namespace

// [pins, active…, age, strength, s, columns of start, the last test…, length of x, of anchor,
// values…, ratios…, g…, q…, x…, anchor…, U…, Z…, start…]
std::vector<double> EigenFitMemory::numbers() const {
  std::vector<double> out = {static_cast<double>(fit->active.size())};
  for (const bool active : fit->active) out.push_back(active ? 1 : 0);
  const FoundModes& m = *modes;
  out.insert(out.end(),
             {age, status.strength, static_cast<double>(m.values.size()),
              static_cast<double>(m.start.cols()), static_cast<double>(status.acceptance.known),
              static_cast<double>(status.acceptance.of), static_cast<double>(status.crossed),
              static_cast<double>(status.near), static_cast<double>(status.first_crossed),
              status.accepted ? 1.0 : 0.0, static_cast<double>(m.x.size()),
              static_cast<double>(m.anchor.size())});
  for (const Vector* part : {&m.values, &m.ratios, &g, &q, &m.x, &m.anchor})
    out.insert(out.end(), part->begin(), part->end());
  for (const Matrix* part : {&m.U, &m.Z, &m.start})
    out.insert(out.end(), part->data(), part->data() + part->size());
  return out;
}

std::shared_ptr<EigenFitMemory> EigenFitMemory::from(
    std::span<const double> numbers, Eigen::Index n,
    std::span<const std::shared_ptr<const RestFit>> fits) {
  const std::size_t pins = fits.empty() ? 0 : fits[0]->active.size();
  if (numbers.size() < 1 + pins + kCounts || numbers[0] != static_cast<double>(pins)) return {};
  auto memory = std::make_shared<EigenFitMemory>();
  auto modes = std::make_shared<FoundModes>();
  std::vector<bool> active;
  for (std::size_t p = 0; p < pins; ++p) active.push_back(numbers[1 + p] != 0);
  for (const auto& fit : fits)
    if (fit->active == active) memory->fit = fit;
  if (!memory->fit) return {};
  std::span<const double> rest = numbers.subspan(1 + pins);
  EigenFitStatus& status = memory->status;
  memory->age = rest[0], status.strength = rest[1];
  const auto s = static_cast<Eigen::Index>(rest[2]), columns = static_cast<Eigen::Index>(rest[3]);
  status.acceptance = {static_cast<Index>(rest[4]), static_cast<Index>(rest[5])};
  status.crossed = static_cast<Index>(rest[6]);
  status.near = static_cast<Index>(rest[7]);
  status.first_crossed = static_cast<Index>(rest[8]);
  status.accepted = rest[9] != 0;
  const auto found = static_cast<Eigen::Index>(rest[10]),
             anchored = static_cast<Eigen::Index>(rest[11]);
  rest = rest.subspan(kCounts);
  for (const Eigen::Index length : {found, anchored})
    if (length != 0 && length != n) return {};
  if (static_cast<Eigen::Index>(rest.size()) !=
      3 * s + n + found + anchored + n * (2 * s + columns))
    return {};
  const auto take = [&rest](Eigen::Index rows, Eigen::Index cols) {
    const Matrix part = Eigen::Map<const Matrix>(rest.data(), rows, cols);
    rest = rest.subspan(static_cast<std::size_t>(rows * cols));
    return part;
  };
  modes->values = take(s, 1), modes->ratios = take(s, 1), memory->g = take(s, 1);
  memory->q = take(n, 1), modes->x = take(found, 1), modes->anchor = take(anchored, 1);
  modes->U = take(n, s), modes->Z = take(n, s), modes->start = take(n, columns);
  memory->modes = std::move(modes);
  return memory;
}

}  // namespace pliant
