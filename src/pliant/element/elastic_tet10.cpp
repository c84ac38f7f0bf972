// All laws on tet10 elements.
#include <pliant/element/elastic_factory.hpp>

namespace pliant {

std::unique_ptr<ElasticTerm> make_elastic_tet10(ElasticBatchInput input,
                                                std::span<const Vec3> rest) {
  return make_elastic_of<Tet10>(std::move(input), rest);
}

}  // namespace pliant
