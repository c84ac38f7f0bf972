// history.csv, read back with strtod and compared bit for bit; names and places of the columns as
// the contract of the result folder has them.
#include <pliant/core/error.hpp>
#include <pliant/io/history.hpp>

#include <io/scratch_folder.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <locale>
#include <random>
#include <sstream>

namespace pliant {
namespace {

using fixtures::read_text;
using fixtures::ScratchFolder;

const std::string contract =
    "step,time,dt,kinetic,elastic,external,contact,total,px,py,pz,lx,ly,lz,newton,linear,contacts,"
    "min_gap,wall_ms";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::stringstream in(line + ',');
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

// A double of random bits, so that every exponent occurs; subnormal ones too.
double random_finite(std::mt19937_64& random) {
  for (;;)
    if (const auto x = std::bit_cast<double>(random()); std::isfinite(x)) return x;
}

TEST(History, ColumnsAreThoseOfTheContractThenProbesThenExtras) {
  EXPECT_EQ(history_header({}), contract);
  EXPECT_EQ(history_header({{"mid", "tip"}, {"work", "min_det"}}),
            contract + ",mid.x,mid.y,mid.z,tip.x,tip.y,tip.z,work,min_det");
}

TEST(History, QuotesNamesAsRfc4180Asks) {
  EXPECT_EQ(history_header({{"a,b"}, {"say \"x\""}}),
            contract + ",\"a,b.x\",\"a,b.y\",\"a,b.z\",\"say \"\"x\"\"\"");
}

TEST(History, WritesARowExactly) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "history.csv";
  History history(path, {{"mid"}, {"work", "min_det"}});
  HistoryRow row;
  row.step = 12;
  row.time = 0.06;
  row.dt = 0.005;
  row.kinetic = 0.1;
  row.elastic = 1e300;
  row.external = -2.5;
  row.total = 1.0 / 3.0;
  row.p = {1, -0.0, 5e-324};
  row.newton = 4;
  row.linear = 123456789012;
  row.wall_ms = 1.5;
  const double probe[] = {1, 2, 3};
  const std::optional<double> extras[] = {0.25, std::nullopt};
  row.probes = probe;
  row.extras = extras;
  history.append(row);
  row.min_gap = 1e-3;
  history.append(row);
  const std::string begin =
      "12,0.06,0.005,0.1,1e+300,-2.5,0,0.3333333333333333,1,-0,5e-324,0,0,0,4,"
      "123456789012,0,";
  EXPECT_EQ(read_text(path), contract + ",mid.x,mid.y,mid.z,work,min_det\n" + begin +
                                 ",1.5,1,2,3,0.25,\n" + begin + "0.001,1.5,1,2,3,0.25,\n");
}

TEST(History, EveryNumberReadsBackWithTheSameBits) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "history.csv";
  std::mt19937_64 random(3);
  std::vector<double> written;
  {
    History history(path, {{"a", "b"}, {}});
    for (int r = 0; r < 500; ++r) {
      std::vector<double> probes;
      for (int i = 0; i < 6; ++i) probes.push_back(random_finite(random));
      HistoryRow row;
      row.probes = probes;
      history.append(row);
      written.insert(written.end(), probes.begin(), probes.end());
    }
  }
  std::stringstream in(read_text(path));
  std::string line;
  std::getline(in, line);
  std::size_t k = 0;
  while (std::getline(in, line)) {
    const auto fields = split(line);
    ASSERT_EQ(fields.size(), 25u);
    for (std::size_t i = 19; i < 25; ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(fields[i].c_str(), nullptr)),
                std::bit_cast<std::uint64_t>(written[k++]));
  }
  EXPECT_EQ(k, 3000u);
}

TEST(History, WritesAPointWhateverTheLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const ScratchFolder scratch;
  History history(scratch.path() / "history.csv", {});
  HistoryRow row;
  row.step = 1234567;
  row.time = 1234567.5;
  history.append(row);
  std::locale::global(before);
  EXPECT_NE(read_text(history.file().path()).find("\n1234567,1234567.5,0,"), std::string::npos);
}

TEST(History, RefusesTwoColumnsOfOneName) {
  const ScratchFolder scratch;
  EXPECT_THROW(History(scratch.path() / "h.csv", {{"a", "a"}, {}}), InputError);
  EXPECT_THROW(History(scratch.path() / "h.csv", {{}, {"total"}}), InputError);
  EXPECT_TRUE(fixtures::names_in(scratch.path()).empty());
}

TEST(History, ContinuesAFileOfTheSameColumnsOnly) {
  const ScratchFolder scratch;
  const auto path = scratch.path() / "history.csv";
  std::int64_t length = 0;
  {
    History history(path, {{"a"}, {}});
    const double probe[] = {1, 2, 3};
    HistoryRow row;
    row.probes = probe;
    history.append(row);
    length = history.file().size();
    history.append(row);
  }
  const std::string one_row = read_text(path).substr(0, static_cast<std::size_t>(length));
  EXPECT_THROW(History(path, {{"b"}, {}}), InputError);
  History history(path, {{"a"}, {}});
  history.file().truncate_to(length);
  EXPECT_EQ(read_text(path), one_row);
}

}  // namespace
}  // namespace pliant
