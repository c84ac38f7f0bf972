#include <pliant/contact/box_tree.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace pliant {
namespace {

class RandomBoxes {
 public:
  explicit RandomBoxes(unsigned seed) : random_(seed) {}
  std::vector<Box> make(std::size_t count, double size) {
    std::vector<Box> boxes(count);
    for (Box& box : boxes) {
      const Vec3 x = vector();
      box.add(x);
      box.add(x + size * vector());
    }
    return boxes;
  }
  Vec3 vector() {
    std::uniform_real_distribution<double> pick(-1, 1);
    return Vec3(pick(random_), pick(random_), pick(random_));
  }

 private:
  std::mt19937 random_;
};

// Found by the tree, and by comparing with every box.
void expect_same(const BoxTree& tree, const std::vector<Box>& boxes, const Box& query) {
  std::set<Index> found, expected;
  int calls = 0;
  tree.for_each_overlap(query, [&](Index i) {
    found.insert(i);
    ++calls;
  });
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].overlaps(query)) expected.insert(static_cast<Index>(i));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(calls, static_cast<int>(expected.size()));  // each once
}

TEST(BoxTree, FindsWhatComparingAllFinds) {
  RandomBoxes random(31);
  for (const std::size_t count : {1, 2, 4, 5, 9, 100, 1500}) {
    const std::vector<Box> boxes = random.make(count, 0.2);
    BoxTree tree;
    tree.update(boxes);
    for (const Box& query : random.make(200, 0.4)) expect_same(tree, boxes, query);
  }
}

TEST(BoxTree, LeavesOutThoseUpToANumber) {
  RandomBoxes random(33);
  const std::vector<Box> boxes = random.make(700, 0.3);
  BoxTree tree;
  tree.update(boxes);
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    std::set<Index> found, expected;
    tree.for_each_overlap(
        boxes[k], [&](Index i) { found.insert(i); }, static_cast<Index>(k));
    for (std::size_t i = k + 1; i < boxes.size(); ++i)
      if (boxes[i].overlaps(boxes[k])) expected.insert(static_cast<Index>(i));
    EXPECT_EQ(found, expected);
  }
}

TEST(BoxTree, KeepsItsShapeWhileBoxesMoveALittleAndFindsAllTheSame) {
  RandomBoxes random(32);
  std::vector<Box> boxes = random.make(800, 0.1);
  BoxTree tree;
  tree.update(boxes);
  for (int step = 0; step < 5; ++step) {
    for (Box& box : boxes) {
      const Vec3 shift = 0.01 * random.vector();
      box.lower += shift, box.upper += shift;
    }
    tree.update(boxes);
    for (const Box& query : random.make(50, 0.3)) expect_same(tree, boxes, query);
  }
  EXPECT_EQ(tree.builds(), 1);
  boxes = random.make(800, 0.1);  // all somewhere else
  tree.update(boxes);
  EXPECT_EQ(tree.builds(), 2);
  for (const Box& query : random.make(50, 0.3)) expect_same(tree, boxes, query);
}

TEST(BoxTree, OfNothingAndOfWhatIsNotFiniteOverlapsNothing) {
  BoxTree tree;
  const auto overlaps = [&tree](const Box& box) {
    int count = 0;
    tree.for_each_overlap(box, [&count](Index) { ++count; });
    return count;
  };
  Box all;
  all.add(Vec3::Constant(-1e9)), all.add(Vec3::Constant(1e9));
  tree.update({});
  EXPECT_EQ(overlaps(all), 0);
  std::vector<Box> boxes(3);
  boxes[1].add(Vec3::Zero());
  boxes[2].add(Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0));
  tree.update(boxes);
  EXPECT_EQ(overlaps(all), 1);
}

TEST(BoxTree, FindsABoxThatBecomesFinite) {
  std::vector<Box> boxes(9);
  for (int k = 0; k < 8; ++k) boxes[static_cast<std::size_t>(k)].add(Vec3(k, 0, 0));
  BoxTree tree;
  tree.update(boxes);
  boxes[8].add(Vec3(3.5, 0, 0));
  boxes[2] = Box();  // as many as before, but another one
  tree.update(boxes);
  Box all;
  all.add(Vec3::Constant(-1e9)), all.add(Vec3::Constant(1e9));
  std::vector<Index> found;
  tree.for_each_overlap(all, [&found](Index k) { found.push_back(k); });
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<Index>{0, 1, 3, 4, 5, 6, 7, 8}));
}

TEST(BoxTree, EqualBoxesAreAllFound) {
  Box one;
  one.add(Vec3(1, 2, 3));
  const std::vector<Box> boxes(100, one);
  BoxTree tree;
  tree.update(boxes);
  expect_same(tree, boxes, one);
}

}  // namespace
}  // namespace pliant
