#!/usr/bin/env python3
"""Would a wrong engine be found out? Breaks it on purpose, one fault at a time, in a copy of the sources, and notes which
figures of the papers' cases fail then that do not fail now. The program itself knows nothing of it: a fault is a
replacement of text, and bench/results/broken_engine.json says what became of each.

    break_engine.py FOLDER [FAULT…]   copies what is committed to FOLDER/source, builds the program there in FOLDER/build
                                      (the first time all of it) and runs each fault's cases: many minutes
    break_engine.py --check           every text is in the sources once, and each fault that was tried is found out by a
                                      figure: seconds"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
results = root / "bench" / "results" / "broken_engine.json"
cases = root / "bench" / "results" / "cases.csv"
WANTED = 10  # figures that fail, in all

# What is wrong, in which file, what is replaced by what, and the cases that should see it.
FAULTS = {
    "tableau": ("two coefficients of TR-BDF2 are 2 % off", "integrate/dirk_tables.cpp", [
        ("constexpr double b_trbdf2[] = {0.3535533905932738, 0.3535533905932738,",
         "constexpr double b_trbdf2[] = {0.3605533905932738, 0.3465533905932738,"),
        ("static_assert(all_orders_hold());", "")], ["damping-curves"]),
    "implicit": ("backward Euler takes the derivative at nine tenths of the step", "integrate/dirk_tables.cpp", [
        ("constexpr double A_be[] = {1};", "constexpr double A_be[] = {0.9};")], ["stiff-scalar", "damping-curves"]),
    "bdf2": ("BDF2 takes half of the change of velocity before", "integrate/bdf2_stepper.cpp", [
        ("stage_.v_p = scale * ((1 + w) * (1 + w) * trial_.v - w * w * last_v_);",
         "stage_.v_p = scale * ((1 + w) * (1 + w) * trial_.v - w * w * (0.5 * last_v_ + 0.5 * trial_.v));")],
        ["damping-curves"]),
    "shear": ("the shear modulus is 30 % too small", "material/constants.cpp", [
        ("return lame_from(constants.young, constants.poisson);",
         "Lame lame = lame_from(constants.young, constants.poisson);\n  lame.mu *= 0.7;\n  return lame;")],
        ["numerical-stiffening"]),
    "geometric stiffness": ("constraints have no geometric stiffness", "constraint/constraint_set.cpp", [
        ("scale, which, out);", "scale, GeometricStiffness::off, out);")], ["swinging-cable", "heavy-cable"]),
    "friction": ("Coulomb's friction is 20 % too weak", "contact/friction_law.hpp", [
        ("return r < 1 ? r * (2 - r) : 1;", "return r < 1 ? 0.8 * r * (2 - r) : 0.8;"),
        ("return r < 1 ? Vec3((2 - r) / epsilon * y) : Vec3(y / x);",
         "return r < 1 ? Vec3(0.8 * (2 - r) / epsilon * y) : Vec3(0.8 * y / x);")], ["barrier-shapes"]),
    "ratios": ("EigenFit's ratios are 1", "coarsen/rest_fit.cpp", [
        ("fit.ratios[i] = fine.values[j] / fit.values[i];", "fit.ratios[i] = 1;")], ["mode-crossing"]),
    "release": ("EigenFit keeps its ratios when a foot is let go", "coarsen/eigenfit_term.cpp", [
        ("if (fit->are_of(step, input_.pins, part_)) return fit;", "return fit;")], ["released-leg"]),
    "gravity": ("gravity is 5 % too weak", "load/gravity.hpp", [
        ("const Vector everywhere = g.replicate(", "const Vector everywhere = 0.95 * g.replicate(")],
        ["sliding-block"]),
    "order": ("damping takes nothing off again for (26)", "dissipation/viscous_batch.cpp", [
        ("if (!form.v_hat.empty()) add(form.v_hat, -form.gamma_q);", "")], ["damping-order"]),
    "turning": ("damping brakes the rotation of a body", "dissipation/nonrigid.cpp", [
        ("rate_ = apply(F_dot);", "rate_ = F_dot;")], ["momentum-damping"]),
    "collisions": ("steps are not kept short of a collision", "contact/barrier_term.cpp", [
        ("return finder_.safe_step(candidates, c.q, dq);", "return 1;")], ["duck-party"]),
}


def path_of(folder, file):
    return folder / "src" / "pliant" / file


def broken(text, edits, file):
    for old, new in edits:
        if text.count(old) != 1:
            raise SystemExit(f"break_engine: {file} has {text.count(old)} times, not once: {old}")
        text = text.replace(old, new)
    return text


def failing(folder):
    """The figures that fail, with what is said of each, or None where the case left none."""
    if not (folder / "figures.csv").exists():
        return None
    with open(folder / "figures.csv", newline="") as file:
        return {row["figure"]: row["ours"] for row in csv.DictReader(file) if row["verdict"] == "FAILS"}


def run_case(folder, case, out):
    shutil.rmtree(out / case, ignore_errors=True)
    subprocess.run([folder / "build" / "pliant", "reproduce", case, "--quiet", "--threads", "1", "--out", out],
                   cwd=folder / "source", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1800)
    return failing(out / case)


def usual(folder, case):
    """What fails anyway: by the data, or else by the program as it is."""
    with open(cases, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["case"] == case and row["form"] == "short"]
    return {r["figure"] for r in rows if r["verdict"] == "FAILS"} if rows else set(run_case(folder, case, folder / "out" / "whole") or {})


def prepare(folder):
    source = folder / "source"
    if not source.exists():
        subprocess.run(["git", "clone", "--quiet", "--shared", root, source], check=True)
    subprocess.run(["git", "-C", source, "fetch", "--quiet", root, "HEAD"], check=True)
    subprocess.run(["git", "-C", source, "reset", "--quiet", "--hard", "FETCH_HEAD"], check=True)
    if not (folder / "build" / "build.ninja").exists():
        subprocess.run(["cmake", "-S", source, "-B", folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DPLIANT_TESTS=OFF", "-DPLIANT_BENCH=OFF", "-DPLIANT_PYTHON=OFF", "-DPLIANT_VIEWER=OFF"], check=True)
    return source


def build(folder):
    subprocess.run(["cmake", "--build", folder / "build", "--target", "pliant"], check=True, stdout=subprocess.DEVNULL)


def try_fault(name, folder, source):
    what, file, edits, seen_by = FAULTS[name]
    path = path_of(source, file)
    text = path.read_text()
    known = {case: usual(folder, case) for case in seen_by}
    found = []
    try:
        path.write_text(broken(text, edits, file))
        build(folder)
        for case in seen_by:
            figures = run_case(folder, case, folder / "out" / name.replace(" ", "-"))
            if figures is None:
                figures = {"the case ends without figures": ""}
            found += [{"case": case, "figure": figure, "ours": ours} for figure, ours in figures.items()
                      if figure not in known[case]]
    finally:
        path.write_text(text)
        build(folder)
    print(f"{name}: {what}: " + ("; ".join(f"{f['case']}: {f['figure']} ({f['ours']})" for f in found) or "NOT FOUND OUT"),
          flush=True)
    return {"what": what, "file": file, "fails": found}


def check():
    data = json.loads(results.read_text())
    for _, file, edits, _ in FAULTS.values():
        broken(path_of(root, file).read_text(), edits, file)
    wrong = [f"{name}: no figure finds it out" for name in data if not data[name]["fails"]]
    wrong += [f"{name}: is no fault any more" for name in data if name not in FAULTS]
    figures = {(f["case"], f["figure"]) for fault in data.values() for f in fault["fails"]}
    if len(figures) < WANTED:
        wrong.append(f"only {len(figures)} figures fail by a fault, not {WANTED}")
    print("\n".join(wrong) if wrong else f"break_engine: {len(data)} faults, found out by {len(figures)} figures; not tried: "
          + (", ".join(name for name in FAULTS if name not in data) or "none"))
    return 1 if wrong else 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source = prepare(folder)
    build(folder)
    data = json.loads(results.read_text()) if results.exists() else {}
    for name in sys.argv[2:] or FAULTS:
        data[name] = try_fault(name, folder, source)
        results.write_text(json.dumps({name: data[name] for name in FAULTS if name in data}, indent=1, ensure_ascii=False) + "\n")
    return 0


sys.exit(main())
