// Symmetric indefinite factorisation with pivoting by MUMPS (Amestoy, Duff, Koster and L'Excellent
// 2001), the version without MPI. The analysis sees the pattern only, never the values, so that a
// factorisation does not depend on the matrices before it. MUMPS keeps data of its own outside an
// instance, so calls are made one at a time.
#include <pliant/solve/kkt_factors.hpp>

#include <pliant/core/error.hpp>
#include <pliant/solve/blas_threads.hpp>
#include <pliant/solve/kkt_solver.hpp>

#include <dmumps_c.h>

#include <algorithm>
#include <mutex>

namespace pliant {
namespace {

enum Job { begin = -1, end = -2, analysis = 1, factorization = 2, solution = 3 };
constexpr int kUseCommWorld = -987654;
constexpr int kMostWorkspace = 3000;  // per cent above the estimate

class MumpsFactors final : public KktFactors {
 public:
  MumpsFactors();
  ~MumpsFactors() override { call(Job::end); }
  MumpsFactors(const MumpsFactors&) = delete;
  MumpsFactors& operator=(const MumpsFactors&) = delete;
  void analyze(const SparseLower& K, Index unknowns, const std::vector<Index>& order) override;
  double work() const override { return 0.5 * id_.rinfog[0]; }
  KktPivots factorize(const SparseLower& K, double tolerance) override;
  bool solve(Vector& z) override;

 private:
  int call(int job);
  // Counted from 1 as in the manual.
  int& option(int k) { return id_.icntl[k - 1]; }
  int result(int k) const { return id_.infog[k - 1]; }

  DMUMPS_STRUC_C id_ = {};
  std::vector<int> row_, column_, place_;
  std::vector<double> values_;
  std::vector<Index> null_;
};

int MumpsFactors::call(int job) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  id_.job = job;
  dmumps_c(&id_);
  return result(1);
}

MumpsFactors::MumpsFactors() {
  set_blas_threads(1);
  id_.par = 1, id_.sym = 2, id_.comm_fortran = kUseCommWorld;
  if (call(Job::begin) < 0) throw CannotContinue("MUMPS could not be started (out of memory?)");
  for (const int stream : {1, 2, 3}) option(stream) = -1;
  option(4) = 0;       // nothing printed
  option(6) = 0;       // no permutation by values
  option(7) = 1;       // our order
  option(8) = 0;       // no scaling: K is scaled
  option(12) = 1;      // no compression by values
  option(13) = 1;      // the last front by MUMPS, which then knows the inertia
  option(16) = 1;      // one thread
  option(24) = 1;      // leave null pivots out
  id_.cntl[0] = 0.01;  // of threshold pivoting
}

void MumpsFactors::analyze(const SparseLower& K, Index, const std::vector<Index>& order) {
  row_.clear(), column_.clear();
  for (Index c = 0; c < K.outerSize(); ++c)
    for (SparseLower::InnerIterator it(K, c); it; ++it)
      row_.push_back(static_cast<int>(it.row()) + 1), column_.push_back(c + 1);
  place_.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    place_[static_cast<std::size_t>(order[k])] = static_cast<int>(k) + 1;
  id_.n = static_cast<int>(K.rows()), id_.nnz = K.nonZeros();
  id_.irn = row_.data(), id_.jcn = column_.data(), id_.perm_in = place_.data();
  option(14) = 30;
  if (call(Job::analysis) < 0)
    throw CannotContinue("the matrix of constraints could not be analysed (out of memory?)");
}

KktPivots MumpsFactors::factorize(const SparseLower& K, double tolerance) {
  values_.assign(K.valuePtr(), K.valuePtr() + K.nonZeros());
  id_.a = values_.data();
  id_.cntl[2] = tolerance;
  int status = call(Job::factorization);
  while ((status == -8 || status == -9) && option(14) < kMostWorkspace) {  // workspace too small
    option(14) *= 3;
    status = call(Job::factorization);
  }
  KktPivots pivots;
  null_.clear();
  if (status < 0) {
    pivots.status = SolveStatus::failed;
    return pivots;
  }
  for (int k = 0; k < result(28); ++k) null_.push_back(id_.pivnul_list[k] - 1);
  std::sort(null_.begin(), null_.end());
  pivots.null = null_;
  pivots.negative = result(12);
  return pivots;
}

bool MumpsFactors::solve(Vector& z) {
  for (const Index k : null_) z[k] = 0;
  id_.rhs = z.data(), id_.nrhs = 1, id_.lrhs = id_.n;
  option(20) = 0, option(21) = 0;
  const bool good = call(Job::solution) >= 0;
  for (const Index k : null_) z[k] = 0;
  return good && z.allFinite();
}

}  // namespace

bool mumps_built() { return true; }
std::unique_ptr<KktFactors> make_mumps_factors() { return std::make_unique<MumpsFactors>(); }

}  // namespace pliant
