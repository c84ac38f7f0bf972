// A result folder read back holds what was written, for bodies of several element types, and a
// damaged one is refused in words.
#include <pliant/core/error.hpp>
#include <pliant/io/result_folder.hpp>
#include <pliant/io/results.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

namespace pliant {
namespace {

namespace fs = std::filesystem;
using fixtures::read_text;
using fixtures::ScratchFolder;
using fixtures::write_text;

// A body of a tet and a hex, then one of a tet: the file holds cells tet, hex, tet; a mesh holds
// tet, tet, hex.
class Written {
 public:
  Written() {
    const Log log;
    ResultFolder folder(scratch_.path(), ExistingResults::refuse,
                        {R"({"name": "two", "bodies": [{"name": "a"}, {"name": "b"}]})", "h", {}},
                        log);
    const std::vector<FrameBodyCells> cells = {{12, first_, material_}, {4, second_, material_}};
    const VtuWriter writer(cells);
    for (int k = 0; k < 3; ++k) add(folder, writer, k);
  }

  static double coordinate(int frame, std::size_t i) {
    return frame + 0.1 * static_cast<double>(i * i % 97);
  }
  const fs::path& path() const { return scratch_.path(); }

 private:
  void add(ResultFolder& folder, const VtuWriter& writer, int k) const {
    std::vector<double> q(48), v(48);
    for (std::size_t i = 0; i < 48; ++i) q[i] = coordinate(k, i), v[i] = -q[i];
    const std::vector<double> stress = {1, 2, 3}, det = {0.5, 0.6, -0.7};
    std::vector<double> pinned(16, 0.0);
    pinned[13] = 1;
    FrameData frame;
    frame.time = 0.25 * k, frame.step = 10 * k;
    frame.bodies = {
        {std::span(q).first(36), std::span(v).first(36), std::span(stress).first(2)},
        {std::span(q).subspan(36), std::span(v).subspan(36), std::span(stress).subspan(2)}};
    frame.point_arrays = {{"pinned", 1, pinned}};
    frame.cell_arrays = {{"det_F", 1, det}};
    folder.add_frame(writer, frame);
  }

  ScratchFolder scratch_;
  std::vector<ElementBlock> first_ = {{ElementType::tet4, {0, 1, 2, 3}, {0}},
                                      {ElementType::hex8, {4, 5, 6, 7, 8, 9, 10, 11}, {0}}};
  std::vector<ElementBlock> second_ = {{ElementType::tet4, {0, 1, 2, 3}, {0}}};
  std::vector<Index> material_ = {0};
};

std::string refusal_of_results(const fs::path& folder, std::size_t frame = 0) {
  try {
    Results(folder).read(frame);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says_results(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Results, HoldWhatWasWritten) {
  const Written written;
  const Results results(written.path());
  EXPECT_EQ(results.name(), "two");
  EXPECT_EQ(results.times(), (std::vector<double>{0, 0.25, 0.5}));
  for (std::size_t k = 0; k < 3; ++k) {
    const ResultFrame frame = results.read(k);
    EXPECT_EQ(frame.time, 0.25 * static_cast<double>(k));
    EXPECT_EQ(frame.step, 10 * static_cast<std::int64_t>(k));
    ASSERT_EQ(frame.points.size(), 16u);
    for (std::size_t i = 0; i < 48; ++i) {
      const double x = Written::coordinate(static_cast<int>(k), i);
      EXPECT_EQ(frame.points[i / 3][static_cast<Eigen::Index>(i % 3)], x);
      EXPECT_EQ(frame.velocities[i / 3][static_cast<Eigen::Index>(i % 3)], -x);
    }
    for (std::size_t n = 0; n < 16; ++n) EXPECT_EQ(frame.pinned[n] != 0, n == 13);
  }
}

TEST(Results, SortCellsByTypeAndTheirValuesWithThem) {
  const Written written;
  const Results results(written.path());
  ASSERT_EQ(results.mesh().blocks.size(), 2u);
  EXPECT_EQ(results.mesh().blocks[0].nodes, (std::vector<Index>{0, 1, 2, 3, 12, 13, 14, 15}));
  EXPECT_EQ(results.mesh().blocks[1].nodes.front(), 4);
  EXPECT_EQ(results.body_of_cell(), (std::vector<Index>{0, 1, 0}));
  const ResultFrame frame = results.read(2);
  EXPECT_EQ(frame.von_mises, (std::vector<double>{1, 3, 2}));
  EXPECT_EQ(frame.det, (std::vector<double>{0.5, -0.7, 0.6}));
  ASSERT_EQ(results.bodies().size(), 2u);
  EXPECT_EQ(results.bodies()[1].name, "b");
  EXPECT_EQ(results.bodies()[1].first_node, 12);
  EXPECT_EQ(results.bodies()[1].nodes, 4);
  // Two tets and a cube of six quads: 2·4 + 12 triangles.
  EXPECT_EQ(results.surface().triangles.size(), 20u);
}

TEST(Results, PointsHaveTheMeanOfTheirCells) {
  Mesh mesh;
  mesh.points.resize(6);
  mesh.blocks = {{ElementType::tet4, {0, 1, 2, 3, 1, 2, 3, 4}, {0, 0}}};
  EXPECT_EQ(cells_to_points(mesh, {2, 6}), (std::vector<double>{2, 4, 4, 4, 6, 0}));
}

TEST(Results, OfFramesThatCameLaterAreFoundByLookingAgain) {
  const Written written;
  const std::string index = read_text(written.path() / "animation.pvd");
  const std::size_t second = index.find("<DataSet", index.find("<DataSet") + 1);
  write_text(written.path() / "animation.pvd",
             index.substr(0, second) + "</Collection>\n</VTKFile>\n");
  Results results(written.path());
  EXPECT_EQ(results.size(), 1u);
  write_text(written.path() / "animation.pvd", index);
  results.refresh();
  EXPECT_EQ(results.size(), 3u);
}

TEST(Results, AreRefusedInWordsWhereSomethingIsMissing) {
  const Written written;
  EXPECT_TRUE(says_results(refusal_of_results(written.path() / "nowhere"), "no such folder"));
  EXPECT_TRUE(says_results(refusal_of_results(written.path() / "frames"), "no results"));
  EXPECT_TRUE(says_results(refusal_of_results(written.path(), 3), "no frame 3, only 3"));
  fs::resize_file(written.path() / "frames/frame_000001.vtu", 900);
  EXPECT_TRUE(says_results(refusal_of_results(written.path(), 1), "frame_000001.vtu"));
  fs::remove(written.path() / "frames/frame_000001.vtu");  // frames behind a gap do not count
  EXPECT_EQ(Results(written.path()).size(), 1u);
  write_text(written.path() / "animation.pvd", "<VTKFile/>");
  EXPECT_TRUE(says_results(refusal_of_results(written.path()), "not written a frame yet"));
}

}  // namespace
}  // namespace pliant
