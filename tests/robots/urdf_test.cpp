#include <robots/imported.hpp>

#include <pliant/mesh/transform.hpp>

#include <gmock/gmock.h>

#include <cmath>

namespace pliant::fixtures {
namespace {

using ::testing::HasSubstr;

// A link of 2 kg whose centre is beside its origin, and its inertia along other axes.
std::string link(const std::string& name, const std::string& more = "") {
  return "<link name='" + name +
         "'><inertial><origin xyz='0.1 0 0.3'/><mass value='2'/>"
         "<inertia ixx='0.02' iyy='0.03' izz='0.04' ixy='0' ixz='0' iyz='0'/></inertial>" +
         more + "</link>\n";
}
std::string joint(const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return "<joint name='" + parent + "-" + child + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + more + "</joint>\n";
}
std::string robot(const std::string& inside) {
  return "<robot name='r'>\n" + inside + "</robot>\n";
}

// Where the scene puts a body's centre of mass, and its inertia there.
Vec3 centre_of(const Json& body) {
  const Json& transform = body.at("transform");
  const Vec3 degrees =
      transform.contains("rotate") ? as_vec3(transform.at("rotate")) : Vec3(Vec3::Zero());
  return rotation_matrix(degrees) * as_vec3(body.at("center")) + as_vec3(transform.at("translate"));
}
Mat3 inertia_of(const Json& body) {
  const Json& transform = body.at("transform");
  const Mat3 R = rotation_matrix(transform.contains("rotate") ? as_vec3(transform.at("rotate"))
                                                              : Vec3(Vec3::Zero()));
  std::vector<double> I = body.at("inertia").get<std::vector<double>>();
  I.resize(6);
  const Mat3 along{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  return R * along * R.transpose();
}

class Urdf : public RobotTest {};

TEST_F(Urdf, ALinkKeepsItsMassItsCentreAndItsInertiaWithYUp) {
  const Imported one = import(robot(link("a")));
  const Json& body = one.body("a");
  EXPECT_EQ(body.at("mass_total"), 2);
  EXPECT_LT((centre_of(body) - Vec3(0.1, 0.3, 0)).norm(), 1e-12);
  EXPECT_LT((inertia_of(body) - Mat3(Vec3(0.02, 0.04, 0.03).asDiagonal())).norm(), 1e-12);
  EXPECT_FALSE(body.contains("pin"));
  EXPECT_EQ(one.json.at("gravity"), Json::parse("[0, -9.81, 0]"));
}

TEST_F(Urdf, FixedLinksAreOneBody) {
  const Imported one =
      import(robot(link("a") + link("b") +
                   joint("fixed", "a", "b", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>")));
  ASSERT_EQ(one.json.at("bodies").size(), 1u);
  const Json& body = one.body("a");
  EXPECT_EQ(body.at("mass_total"), 4);
  // The centres are at (0.1, 0, 0.3) and, a quarter turn on, at (1, 0.1, 0.3).
  EXPECT_LT((centre_of(body) - Vec3(0.55, 0.3, -0.05)).norm(), 1e-12);
  // Each is 0.45 along x and 0.05 along y beside the common centre; by Huygens and Steiner.
  const double m = 4, x = 0.45, y = 0.05;
  Mat3 z_up;
  z_up << 0.05 + m * y * y, -m * x * y, 0, -m * x * y, 0.05 + m * x * x, 0, 0, 0,
      0.08 + m * (x * x + y * y);
  Mat3 up;
  up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  EXPECT_LT((inertia_of(body) - up * z_up * up.transpose()).norm(), 1e-12);
}

TEST_F(Urdf, JointsStandWhereTheirChainPutsThem) {
  const Imported one = import(robot(
      link("a") + link("b") + link("c") +
      joint("revolute", "a", "b",
            "<origin xyz='0 0 1' rpy='0 0 0.5'/><axis xyz='1 0 0'/><limit lower='-1' upper='2'/>") +
      joint("prismatic", "b", "c",
            "<origin xyz='1 0 0'/><axis xyz='0 2 0'/><limit lower='-0.1' upper='0.3'/>")));
  const Json& hinge = one.constraint("a-b");
  EXPECT_EQ(hinge.at("type"), "hinge");
  EXPECT_EQ(hinge.at("between")[0], "b");
  EXPECT_EQ(hinge.at("between")[2], "a");
  EXPECT_LT((as_vec3(hinge.at("between")[1]) - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_LT((as_vec3(hinge.at("axis")) - Vec3(std::cos(0.5), 0, -std::sin(0.5))).norm(), 1e-12);
  EXPECT_EQ(hinge.at("limits"), Json::parse("[-1, 2]"));
  const Json& slider = one.constraint("b-c");
  EXPECT_EQ(slider.at("type"), "slider");
  EXPECT_LT((as_vec3(slider.at("between")[1]) - Vec3(std::cos(0.5), 1, -std::sin(0.5))).norm(),
            1e-12);
  EXPECT_LT((as_vec3(slider.at("axis")) - Vec3(-std::sin(0.5), 0, -std::cos(0.5))).norm(), 1e-12);
}

TEST_F(Urdf, AStartBeyondLimitsIsMovedToTheNearest) {
  const Imported one = import(
      robot(link("a") + link("b") +
            joint("revolute", "a", "b", "<axis xyz='0 1 0'/><limit lower='0.5' upper='2'/>")));
  // A turn by 0.5 about y takes (0.1, 0, 0.3) with it.
  const double c = std::cos(0.5), s = std::sin(0.5);
  EXPECT_LT((centre_of(one.body("b")) - Vec3(0.1 * c + 0.3 * s, -0.1 * s + 0.3 * c, 0)).norm(),
            1e-12);
  EXPECT_EQ(one.constraint("a-b").at("limits"), Json::parse("[0, 1.5]"));
  EXPECT_TRUE(one.warns("starts at the nearer one")) << one.all_warnings();
}

TEST_F(Urdf, WorldAndFixBaseHoldTheRobot) {
  const std::string box = "<collision><geometry><box size='1 1 1'/></geometry></collision>";
  const std::string two = link("a", box) + link("b") + joint("continuous", "a", "b");
  EXPECT_FALSE(import(robot(two)).body("a").contains("pin"));
  EXPECT_TRUE(import(robot(two), {.fix_base = true}).body("a").contains("pin"));
  const Imported held = import(robot("<link name='world'/>" + two + joint("fixed", "world", "a")));
  EXPECT_TRUE(held.body("a").contains("pin"));
  const Imported hung =
      import(robot("<link name='world'/>" + two + joint("continuous", "world", "a")));
  EXPECT_EQ(hung.constraint("world-a").at("between")[2], "world");
  // What is fixed and has no shape is the world itself.
  const Imported bare =
      import(robot(link("a") + link("b") + joint("continuous", "a", "b")), {.fix_base = true});
  EXPECT_EQ(bare.json.at("bodies").size(), 1u);
  EXPECT_EQ(bare.constraint("a-b").at("between")[2], "world");
}

TEST_F(Urdf, LinksWithoutMassAreMergedShareOrGo) {
  const Imported one = import(robot(
      link("a") + "<link name='between'/>" + link("b") +
      "<link name='frame'/><link name='loose'/>" + joint("continuous", "a", "between") +
      joint("continuous", "between", "b") + joint("fixed", "b", "frame", "<origin xyz='0 0 1'/>") +
      joint("continuous", "b", "loose")));
  EXPECT_EQ(one.json.at("bodies").size(), 3u);
  EXPECT_NEAR(one.body("between").at("mass_total").get<double>(), 0.002, 1e-12);
  EXPECT_NEAR(one.body("b").at("mass_total").get<double>(), 1.998, 1e-12);
  EXPECT_EQ(one.json.at("constraints").size(), 2u);
  EXPECT_TRUE(one.warns("\"loose\" has no mass and is left out")) << one.all_warnings();
  // The frame is worth a probe.
  EXPECT_EQ(one.find("probes", "frame").at("body"), "b");
  EXPECT_LT((as_vec3(one.find("probes", "frame").at("point")) - Vec3(0, 1, 0)).norm(), 1e-12);
}

TEST_F(Urdf, MassesComeFromShapesWhereNoneIsGiven) {
  const Imported one = import(
      robot("<link name='a'><collision><origin xyz='0 0 2'/><geometry><cylinder radius='0.1' "
            "length='0.5'/></geometry></collision></link>"));
  const double m = 1000 * M_PI * 0.01 * 0.5;
  EXPECT_NEAR(one.body("a").at("mass_total").get<double>(), m, 1e-9);
  EXPECT_LT((centre_of(one.body("a")) - Vec3(0, 2, 0)).norm(), 1e-12);
  EXPECT_NEAR(inertia_of(one.body("a"))(1, 1), m * 0.01 / 2, 1e-9);
  EXPECT_TRUE(one.warns("has no <inertial>"));
}

TEST_F(Urdf, APlanarJointIsTwoSlidesAndATurn) {
  const Imported one =
      import(robot(link("a") + link("b") + joint("planar", "a", "b", "<axis xyz='0 0 1'/>")));
  EXPECT_EQ(one.json.at("constraints").size(), 3u);
  EXPECT_EQ(one.json.at("bodies").size(), 4u);
  double mass = 0;
  for (const Json& body : one.json.at("bodies")) mass += body.at("mass_total").get<double>();
  EXPECT_NEAR(mass, 4, 1e-9);
}

TEST_F(Urdf, MeshesAreFoundScaledAndWrittenBesideTheScene) {
  std::filesystem::create_directories(folder_.path() / "pack" / "urdf");
  std::filesystem::create_directories(folder_.path() / "pack" / "meshes");
  write_robot(folder_.path() / "pack" / "meshes" / "tet.obj",
              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 1 1 2\n");
  const auto path = write_robot(
      folder_.path() / "pack" / "urdf" / "robot.urdf",
      robot("<link name='a'><collision><geometry><mesh filename='package://pack/meshes/tet.obj' "
            "scale='-2 2 2'/></geometry></collision></link>"));
  const Imported one = import_file(path);
  ASSERT_EQ(one.scene.meshes.size(), 1u);
  EXPECT_EQ(one.scene.meshes[0].name, "robot_meshes/a.obj");
  EXPECT_EQ(one.scene.meshes[0].mesh.element_count(), 4);  // one had no area
  // Mirrored, it still faces outwards: its volume is 8/6 m³.
  EXPECT_NEAR(one.body("a").at("mass_total").get<double>(), 8000.0 / 6, 1e-6);
  EXPECT_LT((centre_of(one.body("a")) - Vec3(-0.5, 0.5, -0.5)).norm(), 1e-12);
}

TEST_F(Urdf, NeighboursPassThroughEachOtherAndOthersDoNot) {
  const std::string box = "<collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision>";
  const auto at = [](const char* x) { return std::string("<origin xyz='") + x + " 0 0'/>"; };
  const Imported one = import(robot(link("a", box) + link("b", box) + link("c", box) +
                                    link("d", box) + joint("continuous", "a", "b", at("0.1")) +
                                    joint("continuous", "b", "c", at("0.5")) +
                                    joint("continuous", "b", "d", at("0.55"))));
  EXPECT_EQ(one.json.at("contact").at("method"), "barrier");
  // c and d overlap at the start; a and c can touch.
  EXPECT_EQ(one.json.at("contact").at("groups"), Json::parse(R"([["a", "b"], ["b", "c", "d"]])"));
  EXPECT_TRUE(one.warns("\"c\" and \"d\" touch or overlap")) << one.all_warnings();
  EXPECT_EQ(import(robot(link("a", box)), {.contact = false}).json.at("contact").at("method"),
            "none");
}

TEST_F(Urdf, AFloorIsJustBelow) {
  const std::string box = "<collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision>";
  const Imported one = import(robot(link("a", box)), {.floor = true});
  const double y = one.find("obstacles", "floor").at("plane").at("point")[1].get<double>();
  EXPECT_LT(y, -0.1);
  EXPECT_GT(y, -0.102);
  EXPECT_FALSE(one.json.at("contact").contains("groups"));
}

TEST_F(Urdf, WhatIsLeftOutIsNamedOnceWithItsCount) {
  const Imported arm = import_file(std::filesystem::path(PLIANT_ROBOTS) / "arm.urdf");
  for (const char* words :
       {"<material> is left out: scenes have no colours (2 of them)", "arm.urdf:99: <mimic>",
        "<transmission>", "<gazebo>", "<safety_controller>", "\"effort\" of <limit>",
        "\"friction\" of <dynamics>", "the joint \"elbow\" would start at 0"})
    EXPECT_TRUE(arm.warns(words)) << words << " in\n" << arm.all_warnings();
  double mass = 0;
  for (const Json& body : arm.json.at("bodies")) mass += body.at("mass_total").get<double>();
  EXPECT_NEAR(mass, 7.4, 1e-9);
}

}  // namespace
}  // namespace pliant::fixtures
