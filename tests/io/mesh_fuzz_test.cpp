// Damaged files: every sample, changed in several hundred ways with fixed seeds, must be read to a
// mesh that keeps the readers' promise, or be refused in one sentence that names the file. Memory
// is measured: a claim in a header must not be believed.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <io/mesh_samples.hpp>
#include <pliant/core/error.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

namespace pliant {
namespace {

using test::Sample;
using test::TempFolder;

class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string bytes) {
    const std::size_t rounds = 1 + below(3);
    for (std::size_t i = 0; i < rounds && !bytes.empty(); ++i) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  void change(std::string& bytes) {
    const std::size_t at = below(bytes.size());
    switch (below(8)) {
      case 0:
        return bytes.resize(at);
      case 1:
        bytes[at] = static_cast<char>(below(256));
        return;
      case 2:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        return;
      case 3:
        return replace_number(bytes, at);
      case 4:
        return delete_line(bytes, at);
      case 5:
        bytes.insert(below(bytes.size()), bytes.substr(at, 1 + below(64)));
        return;
      case 6:
        bytes.erase(at, 1 + below(16));
        return;
      default:
        return extreme_word(bytes, at);
    }
  }

  // The number at or behind `at` by one that is too large, negative, or none.
  void replace_number(std::string& bytes, std::size_t at) {
    static const std::vector<std::string> numbers = {"-1",
                                                     "0",
                                                     "99999999999999999999",
                                                     "2147483648",
                                                     "9223372036854775807",
                                                     "1e999",
                                                     "nan",
                                                     "-inf",
                                                     "1000000000",
                                                     "4294967295",
                                                     "0x10",
                                                     "1.5",
                                                     "",
                                                     "-9223372036854775808"};
    const std::size_t begin = bytes.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of("0123456789.", begin), bytes.size());
    bytes.replace(begin, end - begin, numbers[below(numbers.size())]);
  }

  void delete_line(std::string& bytes, std::size_t at) {
    const std::size_t begin = bytes.rfind('\n', at);
    const std::size_t end = bytes.find('\n', at);
    if (begin == std::string::npos || end == std::string::npos || end <= begin) return;
    bytes.erase(begin, end - begin);
  }

  // Four or eight bytes with the values that break counting in binary files.
  void extreme_word(std::string& bytes, std::size_t at) {
    const std::string_view fill[] = {std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff", 8),
                                     std::string_view("\xff\xff\xff\x7f\xff\xff\xff\x7f", 8),
                                     std::string_view("\0\0\0\x80\0\0\0\x80", 8),
                                     std::string_view("\0\0\xc0\x7f\0\0\xf8\x7f", 8)};
    const std::size_t length = std::min(below(2) == 0 ? std::size_t{4} : 8, bytes.size() - at);
    bytes.replace(at, length, fill[below(4)].substr(0, length));
  }

  std::mt19937 random_;
};

void expect_promise(const Mesh& mesh) {
  EXPECT_GT(mesh.element_count(), 0);
  for (const Vec3& x : mesh.points) EXPECT_TRUE(x.allFinite());
  for (const ElementBlock& block : mesh.blocks) {
    EXPECT_EQ(block.region.size() * static_cast<std::size_t>(nodes_per_element(block.type)),
              block.nodes.size());
    for (const Index n : block.nodes) EXPECT_TRUE(n >= 0 && n < mesh.point_count());
    for (const Index r : block.region)
      EXPECT_TRUE(r >= 0 && r < static_cast<Index>(mesh.region_names.size()));
  }
  for (const auto& [name, nodes] : mesh.node_sets)
    for (const Index n : nodes) EXPECT_TRUE(n >= 0 && n < mesh.point_count());
}

long peak_memory() {  // KiB
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class MeshFuzz : public testing::TestWithParam<Sample> {};

TEST_P(MeshFuzz, DamagedFilesAreReadOrRefusedInOneSentence) {
  const Sample& sample = GetParam();
  const TempFolder folder;
  if (!sample.partner.empty()) folder.write(sample.partner, sample.partner_bytes);
  const long before = peak_memory();
  int read = 0, refused = 0;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const std::string damaged = Mutator(seed)(sample.bytes);
    SCOPED_TRACE(seed);
    try {
      expect_promise(parse_mesh(folder / sample.name, damaged));
      ++read;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(
          message.find((folder / std::filesystem::path(sample.name).stem().string()).string()),
          std::string::npos)
          << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      EXPECT_LT(message.size(), 500U) << message;
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);  // the changes must hurt, and not every one of them
  EXPECT_GT(read, 5);
  EXPECT_LT(peak_memory() - before, 200 * 1024);
}

INSTANTIATE_TEST_SUITE_P(Formats, MeshFuzz, testing::ValuesIn(test::all_samples()),
                         [](const testing::TestParamInfo<Sample>& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

// Compressed files are made by our writer: damage must not get past zlib's and our own checks.
TEST(MeshFuzz, DamagedCompressedGridsAreReadOrRefused) {
  const TempFolder folder;
  Mesh mesh;
  for (int n = 0; n < 400; ++n) mesh.points.emplace_back(n, n * n % 17, n % 5);
  mesh.blocks = {{ElementType::tet4, {}, {}}};
  for (Index e = 0; e + 3 < 400; ++e) {
    for (Index i = 0; i < 4; ++i) mesh.blocks[0].nodes.push_back(e + i);
    mesh.blocks[0].region.push_back(0);
  }
  write_mesh(folder / "whole.vtu", mesh);
  const Mesh whole = read_mesh(folder / "whole.vtu");
  EXPECT_EQ(whole.element_count(), 397);
  std::ifstream file(folder / "whole.vtu", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const long before = peak_memory();
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const std::string damaged = Mutator(seed)(bytes);
    SCOPED_TRACE(seed);
    try {
      expect_promise(parse_mesh("damaged.vtu", damaged));
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("damaged.vtu"), std::string::npos) << error.what();
    }
  }
  EXPECT_LT(peak_memory() - before, 200 * 1024);
}

}  // namespace
}  // namespace pliant
