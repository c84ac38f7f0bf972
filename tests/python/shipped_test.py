"""Every scene of the repository gives the same bits from Python and from the command line, over its first steps."""

import pathlib

import pliant
import pliant_scenes as scenes

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "scenes"


class Shipped(scenes.SceneTest):
    def test_all_agree(self):
        paths = sorted(FOLDER.glob("*.json"))
        self.assertGreater(len(paths), 30)
        for path in paths:
            with self.subTest(path.name):
                scene = pliant.Scene.load(path)
                dt = scene.resolved["time"]["dt"]
                duration = 0.01 if dt == "auto" else 2 * dt
                outcome = self.run_program("run", str(path), "--out", path.stem, "--quiet", "--set",
                                           f"time.duration={duration}")
                self.assertEqual(outcome.returncode, 0, outcome.stderr)
                wanted = self.summary(path.stem)["state_hash"]
                scene.set("time.duration", duration)
                self.assertEqual(scene.run().hash, wanted)
                with pliant.Simulation(scene) as simulation:
                    simulation.advance(duration)
                    self.assertEqual(simulation.hash, wanted)


if __name__ == "__main__":
    scenes.main()
