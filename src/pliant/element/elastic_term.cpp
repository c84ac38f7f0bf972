#include <pliant/element/elastic_term.hpp>

#include <pliant/material/law_names.hpp>

namespace pliant {

// Each defined in a file of its own (elastic_factory.hpp), which this one need not read.
template <std::size_t part>
std::unique_ptr<ElasticTerm> make_elastic_part(ElasticBatchInput& input,
                                               std::span<const Vec3> rest);

std::unique_ptr<ElasticTerm> make_elastic(ElasticBatchInput input, std::span<const Vec3> rest) {
  if (auto term = make_elastic_part<0>(input, rest)) return term;
  if (auto term = make_elastic_part<1>(input, rest)) return term;
  if (auto term = make_elastic_part<2>(input, rest)) return term;
  if (auto term = make_elastic_part<3>(input, rest)) return term;
  throw_unknown_law(input.law);
}

}  // namespace pliant
