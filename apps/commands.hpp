// The commands of `pliant`. Each adds itself to the command line; what it returns is the exit
// status. They are thin: everything they do is a call or two into the library.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace pliant::apps {

// A command sets `chosen` when it is the one that was typed.
using Chosen = std::function<int()>;

void add_run(CLI::App& app, Chosen& chosen);        // run, static
void add_scene(CLI::App& app, Chosen& chosen);      // check, schema
void add_list(CLI::App& app, Chosen& chosen);       // list
void add_mesh(CLI::App& app, Chosen& chosen);       // mesh
void add_curves(CLI::App& app, Chosen& chosen);     // curves
void add_converge(CLI::App& app, Chosen& chosen);   // converge
void add_compare(CLI::App& app, Chosen& chosen);    // compare
void add_modes(CLI::App& app, Chosen& chosen);      // modes
void add_coarsen(CLI::App& app, Chosen& chosen);    // coarsen
void add_gradient(CLI::App& app, Chosen& chosen);   // gradient
void add_render(CLI::App& app, Chosen& chosen);     // render
void add_reproduce(CLI::App& app, Chosen& chosen);  // reproduce
void add_export(CLI::App& app, Chosen& chosen);     // export
void add_import(CLI::App& app, Chosen& chosen);     // import
void add_report(CLI::App& app, Chosen& chosen);     // report
void add_view(CLI::App& app, Chosen& chosen);       // view
void add_ccd(CLI::App& app, Chosen& chosen);        // ccd
void add_doctor(CLI::App& app, Chosen& chosen);     // doctor

}  // namespace pliant::apps
