// The tableaux, to the last bit of double precision. Facts about them are in the documentation.
#include <pliant/integrate/dirk_table.hpp>

namespace pliant {
namespace {

constexpr double A_be[] = {1};
constexpr double b_be[] = {1};

constexpr double A_sdirk2[] = {0.2928932188134525, 0, 0.7071067811865476, 0.2928932188134525};
constexpr double b_sdirk2[] = {0.7071067811865476, 0.2928932188134525};
constexpr double e_sdirk2[] = {1, 0};

constexpr double A_sdirk3[] = {0.435866521508459,
                               0,
                               0,
                               0.2820667392457705,
                               0.435866521508459,
                               0,
                               1.20849664917601,
                               -0.644363170684469,
                               0.435866521508459};
constexpr double b_sdirk3[] = {1.20849664917601, -0.644363170684469, 0.435866521508459};
constexpr double e_sdirk3[] = {0.7726301276675511, 0.22736987233244893, 0};

constexpr double A_trbdf2[] = {0,
                               0,
                               0,
                               0.2928932188134525,
                               0.2928932188134525,
                               0,
                               0.3535533905932738,
                               0.3535533905932738,
                               0.2928932188134525};
constexpr double b_trbdf2[] = {0.3535533905932738, 0.3535533905932738, 0.2928932188134525};
constexpr double e_trbdf2[] = {0.21548220313557542, 0.6868867239266071, 0.09763107293781749};

constexpr double A_trbdf2b[] = {
    0, 0, 0, 0.25, 0.25, 0, 0.3333333333333333, 0.3333333333333333, 0.3333333333333333};
constexpr double b_trbdf2b[] = {0.3333333333333333, 0.3333333333333333, 0.3333333333333333};
constexpr double e_trbdf2b[] = {0.16666666666666666, 0.6666666666666666, 0.16666666666666666};

constexpr double A_ncs23[] = {0.7886751345948129, 0, -0.5773502691896257, 0.7886751345948129};
constexpr double b_ncs23[] = {0.5, 0.5};

constexpr double A_nc34[] = {1.0685790213016289,
                             0,
                             0,
                             -0.5685790213016289,
                             1.0685790213016289,
                             0,
                             2.1371580426032577,
                             -3.2743160852065154,
                             1.0685790213016289};
constexpr double b_nc34[] = {0.12888640051572042, 0.7422271989685592, 0.12888640051572042};

constexpr double A_sdirk3345[] = {1.0685790213016289, 0, 0, -0.979558639370134,
                                  1.0685790213016289, 0, 0, -0.36581146381306573,
                                  1.0685790213016289};
constexpr double b_sdirk3345[] = {0, 0.3303763594586336, 0.6696236405413664};

constexpr double A_sdirk4347[] = {1.2805797612753054, 0, 0, 0, -0.9316494752114317,
                                  1.2805797612753054, 0, 0, 0, -0.5218811893179315,
                                  1.2805797612753054, 0, 0, 0, -1.1027049771310167,
                                  1.2805797612753054};
constexpr double b_sdirk4347[] = {0, 0, 0.5546005907722469, 0.44539940922775306};

constexpr double A_esdirk32[] = {0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0.225,
                                 0.225,
                                 0,
                                 0,
                                 0,
                                 0.2715990257669732,
                                 0.2715990257669732,
                                 0.225,
                                 0,
                                 0,
                                 0.22374368670764583,
                                 0.22374368670764583,
                                 -0.07248737341529163,
                                 0.225,
                                 0,
                                 0.17554550212940523,
                                 0.17554550212940523,
                                 -0.3468582000260062,
                                 0.7707671957671958,
                                 0.225};
constexpr double b_esdirk32[] = {0.17554550212940523, 0.17554550212940523, -0.3468582000260062,
                                 0.7707671957671958, 0.225};
constexpr double e_esdirk32[] = {0.18435122201605922, 0.18435122201605922, -0.27820818405098696,
                                 0.6968620125433237, 0.21264372747554489};

constexpr double A_esdirk43[] = {0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0.25,
                                 0.25,
                                 0,
                                 0,
                                 0,
                                 0,
                                 -0.05177669529663688,
                                 -0.05177669529663688,
                                 0.25,
                                 0,
                                 0,
                                 0,
                                 -0.07655460838455727,
                                 -0.07655460838455727,
                                 0.5281092167691145,
                                 0.25,
                                 0,
                                 0,
                                 -0.7274063478261299,
                                 -0.7274063478261299,
                                 1.5849950617406794,
                                 0.6598176339115803,
                                 0.25,
                                 0,
                                 -0.0155876350357165,
                                 -0.0155876350357165,
                                 0.38765767091320336,
                                 0.5017726195721631,
                                 -0.10825502041393349,
                                 0.25};
constexpr double b_esdirk43[] = {-0.0155876350357165, -0.0155876350357165,  0.38765767091320336,
                                 0.5017726195721631,  -0.10825502041393349, 0.25};
constexpr double e_esdirk43[] = {-0.09651334216818033, -0.09651334216818033, 0.5228199509962342,
                                 0.5205678646221885,   -0.08255805440762122, 0.23219692312555915};

constexpr double A_esdirk324[] = {0,
                                  0,
                                  0,
                                  0,
                                  0.435866521508459,
                                  0.435866521508459,
                                  0,
                                  0,
                                  0.2576482460664272,
                                  -0.09351476757488625,
                                  0.435866521508459,
                                  0,
                                  0.18764102434672383,
                                  -0.595297473576955,
                                  0.9717899277217721,
                                  0.435866521508459};
constexpr double b_esdirk324[] = {0.18764102434672383, -0.595297473576955, 0.9717899277217721,
                                  0.435866521508459};
constexpr double e_esdirk324[] = {0.10889661761586446, -0.9153258118707127, 1.271273597302152,
                                  0.5351555969526961};

constexpr double A_sdirk4hw[] = {0.25,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0.5,
                                 0.25,
                                 0,
                                 0,
                                 0,
                                 0.34,
                                 -0.04,
                                 0.25,
                                 0,
                                 0,
                                 0.2727941176470588,
                                 -0.05036764705882353,
                                 0.027573529411764705,
                                 0.25,
                                 0,
                                 1.0416666666666667,
                                 -1.0208333333333333,
                                 7.8125,
                                 -7.083333333333333,
                                 0.25};
constexpr double b_sdirk4hw[] = {1.0416666666666667, -1.0208333333333333, 7.8125,
                                 -7.083333333333333, 0.25};
constexpr double e_sdirk4hw[] = {1.2291666666666667, -0.17708333333333334, 7.03125,
                                 -7.083333333333333, 0};

constexpr double A_trapezoidal[] = {0, 0, 0.5, 0.5};
constexpr double b_trapezoidal[] = {0.5, 0.5};

constexpr double A_midpoint[] = {0.5};
constexpr double b_midpoint[] = {1};

constexpr std::array<DirkTable, 15> kTables = {{
    {"be", "backward Euler", "Hairer and Wanner, Solving ODEs II", 1, 1, A_be, b_be, {}, 0},
    {"sdirk2", "SDIRK2, L-stable",
     "Alexander 1977, γ = 1 − 1/√2; weights of the embedded method are our choice", 2, 2, A_sdirk2,
     b_sdirk2, e_sdirk2, 1},
    {"sdirk3", "SDIRK3, L-stable", "Alexander 1977; weights of the embedded method are our choice",
     3, 3, A_sdirk3, b_sdirk3, e_sdirk3, 2},
    {"trbdf2", "TR-BDF2 with γ = 2 − √2",
     "Bank et al. 1985, Hosea and Shampine 1996; ASCHER calls it SDIRK", 2, 3, A_trbdf2, b_trbdf2,
     e_trbdf2, 3},
    {"trbdf2b", "TR-BDF2 with γ = ½", "Bathe 2007, ASCHER (8), LOESCHNER TR-BDF2(B)", 2, 3,
     A_trbdf2b, b_trbdf2b, e_trbdf2b, 3},
    {"ncs23",
     "two stages, order 3",
     "Nørsett 1974, Crouzeix 1975; LOESCHNER SDIRK-NCS23",
     3,
     2,
     A_ncs23,
     b_ncs23,
     {},
     0},
    {"nc34",
     "three stages, order 4",
     "Nørsett 1974, Crouzeix 1975; LOESCHNER SDIRK-NC34",
     4,
     3,
     A_nc34,
     b_nc34,
     {},
     0},
    {"sdirk3345",
     "low dispersion (4) and dissipation (5)",
     "Franco, Gómez and Rández 1997; LOESCHNER SDIRK(3,3,4,5)",
     3,
     3,
     A_sdirk3345,
     b_sdirk3345,
     {},
     0},
    {"sdirk4347",
     "low dispersion (4) and dissipation (7)",
     "Franco, Gómez and Rández 1997; LOESCHNER SDIRK(4,3,4,7)",
     3,
     4,
     A_sdirk4347,
     b_sdirk4347,
     {},
     0},
    {"esdirk32", "ESDIRK3(2)5L[2]SA, stage order 2", "Kennedy and Carpenter 2019", 3, 5, A_esdirk32,
     b_esdirk32, e_esdirk32, 2},
    {"esdirk43", "ESDIRK4(3)6L[2]SA, stage order 2", "Kennedy and Carpenter 2016", 4, 6, A_esdirk43,
     b_esdirk43, e_esdirk43, 3},
    {"esdirk324", "ESDIRK3(2)4L[2]SA, stage order 2", "Kennedy and Carpenter 2016", 3, 4,
     A_esdirk324, b_esdirk324, e_esdirk324, 2},
    {"sdirk4hw", "five stages, order 4, L-stable", "Hairer and Wanner II, Table IV.6.5", 4, 5,
     A_sdirk4hw, b_sdirk4hw, e_sdirk4hw, 3},
    {"trapezoidal",
     "the trapezoidal rule, conserves but is not L-stable",
     "Newmark 1959 with β = ¼, Lobatto IIIA",
     2,
     2,
     A_trapezoidal,
     b_trapezoidal,
     {},
     0},
    {"midpoint",
     "the implicit midpoint rule, symplectic but not L-stable",
     "Hairer, Lubich and Wanner 2006",
     2,
     1,
     A_midpoint,
     b_midpoint,
     {},
     0},
}};

// Every table satisfies its order conditions, or this file does not compile.
constexpr bool all_orders_hold() {
  for (const DirkTable& t : kTables) {
    if (order_violation(t, t.b, t.order) > 2e-13) return false;
    if (!t.b_hat.empty() && order_violation(t, t.b_hat, t.embedded_order) > 2e-13) return false;
  }
  return true;
}
static_assert(all_orders_hold());

}  // namespace

std::span<const DirkTable> dirk_tables() { return kTables; }

const DirkTable* find_dirk_table(std::string_view name) {
  for (const DirkTable& table : kTables)
    if (table.name == name) return &table;
  return nullptr;
}

}  // namespace pliant
