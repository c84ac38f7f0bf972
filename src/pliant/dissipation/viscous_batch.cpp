#include <pliant/dissipation/viscous_batch.hpp>

namespace pliant {

template <class Geometry>
ViscousBatch<Geometry>::ViscousBatch(ViscousBatchInput input, Geometry at_rest, Index nodes)
    : DissipationTerm(input.treatment),
      name_(input.name),
      connectivity_(std::move(input.connectivity)),
      count_(connectivity_.size() / N),
      at_rest_(std::move(at_rest)),
      rule_(std::move(input.rule)),
      plan_(connectivity_, N, nodes) {}

template <class Geometry>
LocalMaps ViscousBatch<Geometry>::local_maps() const {
  LocalMaps maps{N, 3, {}, {}};
  for (std::size_t e = 0; e < count_; ++e)
    for (int g = 0; g < G; ++g) {
      const auto nodes = connectivity_.begin() + static_cast<std::ptrdiff_t>(N * e);
      maps.connectivity.insert(maps.connectivity.end(), nodes, nodes + N);
      const double* dN = at_rest_.gradients(e, g).data();
      maps.g.insert(maps.g.end(), dN, dN + 3 * N);
    }
  return maps;
}

template <class Geometry>
auto ViscousBatch<Geometry>::gather(std::size_t e, std::span<const double> x) const
    -> Eigen::Matrix<double, 3, N> {
  Eigen::Matrix<double, 3, N> columns;
  for (int a = 0; a < N; ++a) columns.col(a) = node(x, connectivity_[N * e + a]);
  return columns;
}

template <class Geometry>
void ViscousBatch<Geometry>::sample(std::size_t e, std::size_t end, const Configuration& c,
                                    RateSamples& samples) const {
  end = std::min(end, e + kGroup);
  samples.first_element = e;
  samples.points_per_element = G;
  samples.count = static_cast<int>(end - e) * G;
  for (int k = 0; e < end; ++e) {
    const auto x = gather(e, c.q), v = gather(e, c.v);
    for (int g = 0; g < G; ++g, ++k) {
      const auto dN = at_rest_.gradients(e, g);
      samples.F[k] = x * dN.transpose();
      samples.F_dot[k] = v * dN.transpose();
    }
  }
}

template <class Geometry>
void ViscousBatch<Geometry>::respond(std::size_t e, std::size_t end, const Configuration& c,
                                     Wanted wanted, RateSamples& samples) const {
  sample(e, end, c, samples);
  rule_->respond(samples, wanted);
}

template <class Geometry>
template <class Evaluate>
double ViscousBatch<Geometry>::sum(Evaluate&& evaluate) const {
  return parallel_sum(count_, 256, [&](std::size_t begin, std::size_t end) {
    double total = 0;
    RateSamples samples;
    for (std::size_t e = begin; e < end; e += kGroup) {
      evaluate(e, end, samples);
      for (int k = 0; k < samples.count; ++k)
        total += at_rest_.weight(samples.element(k), k % G) * samples.out[k].R;
    }
    return total;
  });
}

template <class Geometry>
template <class Evaluate, class Stress>
void ViscousBatch<Geometry>::add_stress(std::span<double> f, Evaluate&& evaluate,
                                        Stress&& stress) const {
  plan_.for_each_chunk([&](std::size_t begin, std::size_t end) {
    RateSamples samples;
    for (std::size_t first = begin; first < end; first += kGroup) {
      evaluate(first, end, samples);
      for (int k = 0; k < samples.count; ++k) {
        const std::size_t e = samples.element(k);
        const Mat3 Q = at_rest_.weight(e, k % G) * stress(samples.out[k]);
        const Eigen::Matrix<double, 3, N> force = Q * at_rest_.gradients(e, k % G);
        for (int a = 0; a < N; ++a) node(f, connectivity_[e * N + a]) -= force.col(a);
      }
    }
  });
}

template <class Geometry>
template <class Evaluate, class MakeTangent>
void ViscousBatch<Geometry>::add_matrices(BlockMatrix& A, Evaluate&& evaluate,
                                          MakeTangent&& tangent) const {
  plan_.for_each_chunk([&](std::size_t begin, std::size_t end) {
    RateSamples samples;
    for (std::size_t first = begin; first < end; first += kGroup) {
      evaluate(first, end, samples);
      for (int k = 0; k < samples.count; ++k) {
        const std::size_t e = samples.element(k);
        const auto dN = at_rest_.gradients(e, k % G);
        const Mat9 C = at_rest_.weight(e, k % G) * tangent(samples.out[k]);
        for (int b = 0; b < N; ++b) {
          const Eigen::Matrix<double, 9, 3> T = C.template leftCols<3>() * dN(0, b) +
                                                C.template middleCols<3>(3) * dN(1, b) +
                                                C.template rightCols<3>() * dN(2, b);
          for (int a = 0; a < N; ++a)
            Eigen::Map<Mat3>(A.block(plan_.blocks(e)[N * a + b])) +=
                dN(0, a) * T.template topRows<3>() + dN(1, a) * T.template middleRows<3>(3) +
                dN(2, a) * T.template bottomRows<3>();
        }
      }
    }
  });
}

template <class Geometry>
double ViscousBatch<Geometry>::dissipation(const Configuration& c) const {
  return sum([&](std::size_t e, std::size_t end, RateSamples& samples) {
    respond(e, end, c, {}, samples);
  });
}

template <class Geometry>
void ViscousBatch<Geometry>::add_force(const Configuration& c, std::span<double> f) const {
  if (!c.step && as_vector(c.v).isZero(0)) return;  // statics
  add_stress(
      f,
      [&](std::size_t e, std::size_t end, RateSamples& samples) {
        respond(e, end, c, {.force = true}, samples);
      },
      [](const ViscousResponse& out) -> const Mat3& { return out.P; });
}

template <class Geometry>
void ViscousBatch<Geometry>::add_tangent(const Configuration& c, Tangent tangent,
                                         BlockMatrix& A) const {
  const bool project = tangent.projection == Projection::psd;
  const bool position = tangent.stiffness != 0 && !project && !rule_->has_stage_form();
  if (tangent.damping == 0 && (!position || as_vector(c.v).isZero(0))) return;
  const Wanted wanted{.damping = true, .position = position, .psd = project};
  add_matrices(
      A,
      [&](std::size_t e, std::size_t end, RateSamples& samples) {
        respond(e, end, c, wanted, samples);
      },
      [&](const ViscousResponse& out) -> Mat9 {
        if (!position) return tangent.damping * out.D;
        return tangent.damping * out.D + tangent.stiffness * out.S;
      });
}

template <class Geometry>
double ViscousBatch<Geometry>::stage_excess(const Configuration& c, const StageForm& form) const {
  if (rule_->has_stage_form())
    return sum([&](std::size_t e, std::size_t end, RateSamples& samples) {
             sample(e, end, c, samples);
             rule_->respond_stage(samples, form.gamma_q, {});
           }) -
           dissipation(c);
  if (form.v_hat.empty()) return 0;
  Configuration fixed = c;
  fixed.v = form.v_hat;
  return -dissipation(fixed);
}

template <class Geometry>
void ViscousBatch<Geometry>::add_stage_force(const Configuration& c, const StageForm& form,
                                             std::span<double> f) const {
  if (rule_->has_stage_form()) {
    const auto P = [](const ViscousResponse& out) -> Mat3 { return out.P; };
    const auto minus_P = [](const ViscousResponse& out) -> Mat3 { return -out.P; };
    const auto respond_to = [&](std::size_t e, std::size_t end, RateSamples& samples) {
      respond(e, end, c, {.force = true}, samples);
    };
    const auto respond_stage = [&](std::size_t e, std::size_t end, RateSamples& samples) {
      sample(e, end, c, samples);
      rule_->respond_stage(samples, form.gamma_q, {.force = true});
    };
    add_stress(f, respond_stage, P);
    return add_stress(f, respond_to, minus_P);
  }
  const auto add = [&](std::span<const double> v, double scale) {
    Configuration at = c;
    at.v = v;
    add_stress(
        f,
        [&](std::size_t e, std::size_t end, RateSamples& samples) {
          respond(e, end, at, {.position = true}, samples);
        },
        [&](const ViscousResponse& out) -> Mat3 { return scale * out.G; });
  };
  add(c.v, form.gamma_q);
  if (!form.v_hat.empty()) add(form.v_hat, -form.gamma_q);
}

template <class Geometry>
void ViscousBatch<Geometry>::add_stage_tangent(const Configuration& c, const StageForm& form,
                                               Tangent scale, BlockMatrix& A) const {
  const bool project = scale.projection == Projection::psd;
  if (rule_->has_stage_form()) {
    const Wanted wanted{.damping = true, .psd = project};
    add_matrices(
        A,
        [&](std::size_t e, std::size_t end, RateSamples& samples) {
          sample(e, end, c, samples);
          rule_->respond_stage(samples, form.gamma_q, wanted);
        },
        [&](const ViscousResponse& out) -> Mat9 { return scale.damping * out.D; });
    return add_tangent(c, {.damping = -scale.damping, .projection = scale.projection}, A);
  }
  if (project) return;
  add_matrices(
      A,
      [&](std::size_t e, std::size_t end, RateSamples& samples) {
        respond(e, end, c, {.position = true}, samples);
      },
      [&](const ViscousResponse& out) -> Mat9 {
        return (scale.damping * form.gamma_q) * out.S.transpose();
      });
}

template class ViscousBatch<RestGeometry<Tet4>>;
template class ViscousBatch<RestGeometry<Tet10>>;
template class ViscousBatch<RestGeometry<Hex8>>;
template class ViscousBatch<ThinGeometry<2>>;
template class ViscousBatch<ThinGeometry<3>>;
template class ViscousBatch<ThinGeometry<4>>;

}  // namespace pliant
