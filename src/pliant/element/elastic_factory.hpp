// From the name of a law to a batch, for one shape; each shape is compiled in a file of its own.
#pragma once

#include <pliant/element/elastic_batch.hpp>
#include <pliant/material/laws.hpp>

namespace pliant {

std::unique_ptr<ElasticTerm> make_elastic_tet4(ElasticBatchInput, std::span<const Vec3> rest);
std::unique_ptr<ElasticTerm> make_elastic_tet10(ElasticBatchInput, std::span<const Vec3> rest);
std::unique_ptr<ElasticTerm> make_elastic_hex8(ElasticBatchInput, std::span<const Vec3> rest);

template <Shape S>
std::unique_ptr<ElasticTerm> make_elastic_of(ElasticBatchInput input, std::span<const Vec3> rest) {
  std::unique_ptr<ElasticTerm> term;
  visit_law(input.law, [&]<class L>(std::type_identity<L>) {
    std::vector<typename L::Parameters> parameters;
    parameters.reserve(input.constants.size());
    for (const MaterialConstants& constants : input.constants)
      parameters.push_back(L::make_parameters(constants));
    term = std::make_unique<ElasticBatch<S, L>>(std::move(input.connectivity),
                                                std::move(parameters), rest);
  });
  return term;
}

}  // namespace pliant
