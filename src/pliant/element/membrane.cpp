#include <pliant/element/membrane.hpp>

#include <pliant/element/membrane_batch.hpp>
#include <pliant/material/membrane_laws.hpp>

namespace pliant {

std::unique_ptr<ElasticTerm> make_membrane(ElasticBatchInput batch, double thickness,
                                           std::span<const Vec3> rest) {
  std::unique_ptr<ElasticTerm> term;
  visit_membrane_law(batch.law, [&]<class L>(std::type_identity<L>) {
    std::vector<typename L::Parameters> parameters;
    std::vector<Vec3> warp;
    for (const MaterialConstants& constants : batch.constants) {
      parameters.push_back(L::make_parameters(constants));
      warp.push_back(constants.axes.col(0));
    }
    if (batch.type == ElementType::quad4)
      term = std::make_unique<MembraneBatch<L, 4>>(std::move(batch.connectivity),
                                                   std::move(parameters), thickness, warp, rest);
    else
      term = std::make_unique<MembraneBatch<L, 3>>(std::move(batch.connectivity),
                                                   std::move(parameters), thickness, warp, rest);
  });
  return term;
}

double membrane_stiffness(std::string_view law, const MaterialConstants& constants) {
  double stiffness = 0;
  visit_membrane_law(law, [&]<class L>(std::type_identity<L>) {
    const Mat3 D = L::tangent(Vec3::Zero(), L::make_parameters(constants));
    stiffness = 0.5 * (D(0, 0) + D(1, 1));
  });
  return stiffness;
}

}  // namespace pliant
