// From the name of a law to a batch. Laws are compiled a few to a file, each on all shapes, so that
// what depends on the law alone is compiled once and no file takes minutes; a new law in the list
// falls to one of them by itself.
#pragma once

#include <pliant/core/error.hpp>
#include <pliant/element/elastic_batch.hpp>
#include <pliant/material/laws.hpp>

namespace pliant {

constexpr std::size_t kElasticParts = 4;  // files elastic_laws_0.cpp and on: law k is in part k % 4

// Null where the law is not of this part.
template <std::size_t part>
std::unique_ptr<ElasticTerm> make_elastic_part(ElasticBatchInput& input,
                                               std::span<const Vec3> rest);

template <Shape S, MaterialLaw L>
std::unique_ptr<ElasticTerm> make_elastic_batch(ElasticBatchInput& input,
                                                std::span<const Vec3> rest) {
  std::vector<typename L::Parameters> parameters;
  parameters.reserve(input.constants.size());
  for (const MaterialConstants& constants : input.constants)
    parameters.push_back(L::make_parameters(constants));
  return std::make_unique<ElasticBatch<S, L>>(std::move(input.connectivity), std::move(parameters),
                                              rest);
}

template <MaterialLaw L>
std::unique_ptr<ElasticTerm> make_elastic_of(ElasticBatchInput& input, std::span<const Vec3> rest) {
  switch (input.type) {
    case ElementType::tet4:
      return make_elastic_batch<Tet4, L>(input, rest);
    case ElementType::tet10:
      return make_elastic_batch<Tet10, L>(input, rest);
    case ElementType::hex8:
      return make_elastic_batch<Hex8, L>(input, rest);
    default:
      throw InputError("elements of type " + std::string(name_of(input.type)) +
                       " cannot be part of a solid; tet4, tet10 and hex8 can");
  }
}

template <std::size_t part, class... L, std::size_t... k>
std::unique_ptr<ElasticTerm> make_elastic_among(TypeList<L...>, std::index_sequence<k...>,
                                                ElasticBatchInput& input,
                                                std::span<const Vec3> rest) {
  std::unique_ptr<ElasticTerm> term;
  const auto try_law = [&]<class Law, std::size_t place>() {
    if constexpr (place % kElasticParts == part)
      if (input.law == Law::name) term = make_elastic_of<Law>(input, rest);
  };
  (try_law.template operator()<L, k>(), ...);
  return term;
}

template <std::size_t part>
std::unique_ptr<ElasticTerm> make_elastic_part(ElasticBatchInput& input,
                                               std::span<const Vec3> rest) {
  return make_elastic_among<part>(Laws{}, std::make_index_sequence<Laws::size>{}, input, rest);
}

}  // namespace pliant
