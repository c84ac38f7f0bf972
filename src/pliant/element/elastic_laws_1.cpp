#include <pliant/element/elastic_factory.hpp>

namespace pliant {

template std::unique_ptr<ElasticTerm> make_elastic_part<1>(ElasticBatchInput&,
                                                           std::span<const Vec3>);

}  // namespace pliant
