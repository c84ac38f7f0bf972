// What bodies carry along: nodes of rigid bodies and of bodies on frames, and embedded surfaces,
// all of which follow nodes that are solved for. Private to the module.
#pragma once

#include <pliant/body/solid.hpp>

namespace pliant {

// The skin becomes a part of the mesh; its nodes follow those of the elements that carry them, or
// later the frames of the body.
void attach_skin(SolidInput& solid, Body& body, Followers& followers);

// The frames of bodies behind the nodes of all bodies; the latter follow them.
void add_frames(std::span<const SolidInput> solids, std::vector<Body>& bodies,
                std::vector<Vec3>& rest, Followers& followers);

// The boundary, or the skin in its place.
Surface outside_of(const Body& body);

}  // namespace pliant
