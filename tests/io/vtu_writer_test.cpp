// Frames: what goes in comes out bit for bit, through a decoder of the tests' own; the series and
// its index; resuming within it.
#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>
#include <pliant/io/pvd.hpp>
#include <pliant/io/vtu_writer.hpp>

#include <io/scratch_folder.hpp>
#include <io/vtu_decoder.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>

namespace pliant {
namespace {

using fixtures::is_well_formed;
using fixtures::names_in;
using fixtures::read_text;
using fixtures::ScratchFolder;
using fixtures::VtuDecoder;

constexpr ElementType all_types[] = {ElementType::segment2, ElementType::tri3,  ElementType::quad4,
                                     ElementType::tet4,     ElementType::tet10, ElementType::hex8};

// Two bodies: one with a cell of each type on twelve points, one with `cells` tets.
struct TwoBodies {
  std::vector<ElementBlock> blocks[2];
  std::vector<Index> materials[2] = {{3, 1, 4, 1, 5, 9}, {7}};
  Index points[2] = {12, 0};
  std::vector<double> q[2], v[2], stress;

  explicit TwoBodies(Index cells) {
    for (const ElementType type : all_types) {
      std::vector<Index> nodes(static_cast<std::size_t>(nodes_per_element(type)));
      std::iota(nodes.begin(), nodes.end(), 1);
      blocks[0].push_back({type, nodes, {0}});
    }
    ElementBlock tets{ElementType::tet4, {}, {}};
    std::mt19937_64 random(1);
    points[1] = cells + 4;
    for (Index e = 0; e < cells; ++e)
      for (Index k = 0; k < 4; ++k) tets.nodes.push_back(e + k);
    blocks[1].push_back(tets);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int b = 0; b < 2; ++b)
      for (Index i = 0; i < 3 * points[b]; ++i) {
        q[b].push_back(uniform(random));
        v[b].push_back(std::ldexp(uniform(random), static_cast<int>(random() % 200) - 100));
      }
    for (Index e = 0; e < cells; ++e) stress.push_back(1e5 * uniform(random));
  }
  std::vector<FrameBodyCells> cells() const {
    return {{points[0], blocks[0], materials[0]}, {points[1], blocks[1], materials[1]}};
  }
  FrameData frame() const { return {0.125, 25, {{q[0], v[0], {}}, {q[1], v[1], stress}}, {}, {}}; }
};

template <class T>
std::vector<T> joined(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Doubles compared as bits.
void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << i;
}

class BothEncodings : public ::testing::TestWithParam<VtuEncoding> {};
INSTANTIATE_TEST_SUITE_P(Vtu, BothEncodings,
                         ::testing::Values(VtuEncoding::raw, VtuEncoding::base64));

TEST_P(BothEncodings, StateComesBackBitForBit) {
  const ScratchFolder scratch;
  const TwoBodies bodies(5000);  // over two compressed blocks of positions
  const VtuWriter writer(bodies.cells(), GetParam());
  FrameData frame = bodies.frame();
  std::vector<double> mass(writer.point_count()), strain(6 * writer.cell_count());
  std::iota(mass.begin(), mass.end(), 0.5);
  std::iota(strain.begin(), strain.end(), -3.0);
  frame.point_arrays = {{"mass <kg> & \"more\"", 1, mass}};
  frame.cell_arrays = {{"strain", 6, strain}};
  writer.write(scratch.path() / "a.vtu", frame);
  const VtuDecoder file(read_text(scratch.path() / "a.vtu"));

  expect_same_bits(file.array<double>("Points", "Float64"), joined(bodies.q[0], bodies.q[1]));
  expect_same_bits(file.array<double>("velocity", "Float64"), joined(bodies.v[0], bodies.v[1]));
  expect_same_bits(file.array<double>("von_mises", "Float64"),
                   joined(std::vector<double>(6, 0.0), bodies.stress));
  expect_same_bits(file.array<double>("mass &lt;kg&gt; &amp; &quot;more&quot;", "Float64"), mass);
  expect_same_bits(file.array<double>("strain", "Float64"), strain);
  EXPECT_TRUE(is_well_formed(file.xml()));
  if (GetParam() == VtuEncoding::base64) {
    EXPECT_TRUE(is_well_formed(read_text(scratch.path() / "a.vtu")));
  }
}

TEST_P(BothEncodings, CellsAreThoseOfAllBodiesInTheOrderOfVtk) {
  const ScratchFolder scratch;
  const TwoBodies bodies(3);
  const VtuWriter writer(bodies.cells(), GetParam());
  writer.write(scratch.path() / "a.vtu", bodies.frame());
  const VtuDecoder file(read_text(scratch.path() / "a.vtu"));
  std::vector<std::int32_t> nodes;
  std::vector<std::int64_t> offsets;
  for (const int n : {2, 3, 4, 4, 10, 8})
    for (int k = 1; k <= n; ++k) nodes.push_back(k);
  for (const int e : {0, 1, 2})
    for (const int k : {0, 1, 2, 3}) nodes.push_back(12 + e + k);
  EXPECT_EQ(file.array<std::int32_t>("connectivity", "Int32"), nodes);
  EXPECT_EQ(file.array<std::int64_t>("offsets", "Int64"),
            (std::vector<std::int64_t>{2, 5, 9, 13, 23, 31, 35, 39, 43}));
  EXPECT_EQ(file.array<std::uint8_t>("types", "UInt8"),
            (std::vector<std::uint8_t>{3, 5, 9, 10, 24, 12, 10, 10, 10}));
  EXPECT_EQ(file.array<std::int32_t>("body", "Int32"),
            (std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(file.array<std::int32_t>("material", "Int32"),
            (std::vector<std::int32_t>{3, 1, 4, 1, 5, 9, 7, 7, 7}));
  EXPECT_EQ(VtuDecoder::attribute(file.tag_of("Piece"), "NumberOfPoints"), "19");
  EXPECT_EQ(VtuDecoder::attribute(file.tag_of("Piece"), "NumberOfCells"), "9");
  EXPECT_EQ(VtuDecoder::attribute(file.tag_of("VTKFile"), "byte_order"),
            std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian");
}

TEST_P(BothEncodings, OurMeshReaderReadsAFrameAsAMesh) {
  const ScratchFolder scratch;
  const TwoBodies bodies(50);
  const FrameBodyCells cells{bodies.points[1], bodies.blocks[1], bodies.materials[1]};
  const VtuWriter writer({&cells, 1}, GetParam());
  const FrameData all = bodies.frame();
  writer.write(scratch.path() / "a.vtu", {0, 0, {all.bodies[1]}, {}, {}});
  const Mesh mesh = read_mesh(scratch.path() / "a.vtu");
  ASSERT_EQ(mesh.blocks.size(), 1u);
  EXPECT_EQ(mesh.blocks[0].nodes, bodies.blocks[1][0].nodes);
  std::vector<double> points;
  // The last point of the body belongs to no cell, and the reader leaves such points out.
  for (const Vec3& x : mesh.points) points.insert(points.end(), {x[0], x[1], x[2]});
  expect_same_bits(points, {bodies.q[1].begin(), bodies.q[1].end() - 3});
}

TEST(Vtu, TheSameFrameGivesTheSameBytes) {
  const ScratchFolder scratch;
  const TwoBodies bodies(20000);
  const VtuWriter writer(bodies.cells());
  writer.write(scratch.path() / "a.vtu", bodies.frame());
  writer.write(scratch.path() / "b.vtu", bodies.frame());
  EXPECT_EQ(read_text(scratch.path() / "a.vtu"), read_text(scratch.path() / "b.vtu"));
}

TEST(Vtu, RefusesSpansAndIndicesThatDoNotFit) {
  const ScratchFolder scratch;
  TwoBodies bodies(3);
  const VtuWriter writer(bodies.cells());
  const auto path = scratch.path() / "a.vtu";
  FrameData frame = bodies.frame();
  frame.bodies[1].positions = frame.bodies[1].positions.first(5);
  EXPECT_THROW(writer.write(path, frame), InputError);
  frame = bodies.frame();
  frame.bodies.pop_back();
  EXPECT_THROW(writer.write(path, frame), InputError);
  frame = bodies.frame();
  frame.point_arrays = {{"short", 1, bodies.stress}};
  EXPECT_THROW(writer.write(path, frame), InputError);
  EXPECT_TRUE(names_in(scratch.path()).empty());
  bodies.materials[1] = {1, 2};
  EXPECT_THROW(VtuWriter{bodies.cells()}, InputError);
  bodies.materials[1] = {1};
  bodies.blocks[1][0].nodes[2] = 7;
  EXPECT_THROW(VtuWriter{bodies.cells()}, InputError);
}

TEST(FrameSeries, IndexNamesEveryFrameWithItsTime) {
  const ScratchFolder scratch;
  const TwoBodies bodies(3);
  const VtuWriter writer(bodies.cells());
  FrameSeries frames(scratch.path());
  for (const double time : {0.0, 0.1, 0.30000000000000004}) {
    FrameData frame = bodies.frame();
    frame.time = time;
    frames.add(writer, frame);
  }
  const std::string pvd = read_text(scratch.path() / "animation.pvd");
  EXPECT_TRUE(is_well_formed(pvd));
  EXPECT_NE(pvd.find("timestep=\"0.30000000000000004\" group=\"\" part=\"0\" "
                     "file=\"frames/frame_000002.vtu\""),
            std::string::npos);
  EXPECT_EQ(names_in(scratch.path() / "frames"),
            (std::vector<std::string>{"frame_000000.vtu", "frame_000001.vtu", "frame_000002.vtu"}));
}

TEST(FrameSeries, ResumingRemovesLaterFramesAndNothingElse) {
  const ScratchFolder scratch;
  const TwoBodies bodies(3);
  const VtuWriter writer(bodies.cells());
  {
    FrameSeries frames(scratch.path());
    for (int k = 0; k < 5; ++k) frames.add(writer, bodies.frame());
  }
  const auto folder = scratch.path() / "frames";
  fixtures::write_text(folder / "notes.txt", "mine");
  fixtures::write_text(folder / "frame_1000000.vtu", "a later one with seven digits");
  const double times[] = {0.0, 0.1};
  FrameSeries frames(scratch.path(), times);
  EXPECT_EQ(names_in(folder),
            (std::vector<std::string>{"frame_000000.vtu", "frame_000001.vtu", "notes.txt"}));
  EXPECT_EQ(read_text(scratch.path() / "animation.pvd"), make_pvd(times));
  frames.add(writer, bodies.frame());
  EXPECT_EQ(frames.size(), 3u);
  const double too_many[] = {0, 1, 2, 3};
  EXPECT_THROW(FrameSeries(scratch.path(), too_many), InputError);
}

}  // namespace
}  // namespace pliant
