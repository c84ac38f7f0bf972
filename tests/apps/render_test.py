"""render: pictures and films of small runs, and what it refuses."""

import json
import os
import shutil
import signal
import struct
import subprocess
import zlib

import pliant_cli
from pliant_cli import beam

SMALL = ("--size", "64x36", "--samples", "4", "--quiet")


def read_png(path):
    """Width, height and the bytes of the pixels, every checksum looked at."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        (check,) = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        assert check == zlib.crc32(kind + body), kind
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    return (*size, zlib.decompress(packed))


def unfiltered(data, width, height):
    """The rows of an RGB picture: PNG stores differences to neighbours."""
    stride, rows, before = 3 * width, [], bytes(3 * width)
    for y in range(height):
        kind, row = data[y * (stride + 1)], bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for k in range(stride):
            left, up, corner = (row[k - 3], before[k], before[k - 3]) if k >= 3 else (0, before[k], 0)
            guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            row[k] = (row[k] + (0, left, up, (left + up) // 2, guess)[kind]) & 255
        rows.append(bytes(row))
        before = row
    return rows


class Render(pliant_cli.ProgramTest):
    kept = None

    def setUp(self):
        super().setUp()
        if not Render.kept:  # one run serves all
            Render.kept = pliant_cli.tempfile.mkdtemp(prefix="pliant-render-")
            scene = beam(steps=5, dt=0.02, name="beam")
            with open(f"{Render.kept}/scene.json", "w") as file:
                json.dump(scene, file)
            self.succeed("run", f"{Render.kept}/scene.json", "--quiet", "--out", f"{Render.kept}/run")
        self.run_folder = f"{Render.kept}/run"

    @classmethod
    def tearDownClass(cls):
        if Render.kept:
            shutil.rmtree(Render.kept, ignore_errors=True)
        Render.kept = None

    def render(self, *words):
        return self.succeed("render", *words, *SMALL)

    def probe(self, name):
        said = subprocess.run(
            ["ffprobe", "-v", "error", "-count_frames", "-show_entries",
             "stream=width,height,nb_read_frames,r_frame_rate,pix_fmt", "-of", "json", self.path(name)],
            capture_output=True, check=True)
        return json.loads(said.stdout)["streams"][0]


class Pictures(Render):
    def test_a_picture_has_the_size_and_shows_something(self):
        self.render(self.run_folder, "-o", "new/a.png")
        width, height, pixels = read_png(self.path("new", "a.png"))
        self.assertEqual((width, height), (64, 36))
        self.assertEqual(len(pixels), 36 * (1 + 3 * 64))
        self.assertGreater(len(set(pixels)), 30)

    def test_threads_change_nothing(self):
        for threads in (1, 2):
            self.render(self.run_folder, "-o", f"{threads}.png", "--threads", threads)
        with open(self.path("1.png"), "rb") as one, open(self.path("2.png"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_frames_times_and_looks_differ(self):
        looks = {"last": (), "first": ("--frame", "0"), "middle": ("--time", "0.05"),
                 "near": ("--fit", "frame"), "stress": ("--color", "stress"),
                 "speed": ("--color", "velocity"), "det": ("--color", "det"),
                 "range": ("--color", "stress", "--range", "0,1e3"),
                 "lines": ("--wireframe",), "air": ("--no-ground",), "clock": ("--clock",),
                 "camera": ("--camera", "0,2,9/0,0,0/40"), "words": ("--captions", "a beam")}
        seen = {}
        for name, words in looks.items():
            self.render(self.run_folder, "-o", "a.png", *words)
            seen[name] = read_png(self.path("a.png"))[2]
        self.assertEqual(len(set(seen.values())), len(looks))
        self.render(self.run_folder, "-o", "a.png", "--frame", "last")
        self.assertEqual(read_png(self.path("a.png"))[2], seen["last"])

    def test_the_camera_of_the_scene_is_used(self):
        camera = {"eye": [0, 2, 9], "target": [0, 0, 0], "fov": 40}
        folder = self.run_scene(beam(steps=5, dt=0.02, name="beam", camera=camera))
        self.render(folder, "-o", "a.png")
        self.render(self.run_folder, "-o", "b.png", "--camera", "0,2,9/0,0,0/40")
        self.assertEqual(read_png(self.path("a.png")), read_png(self.path("b.png")))

    def test_several_runs_stand_side_by_side(self):
        other = self.run_scene(beam(steps=3, dt=0.02, integrator="sdirk2"))
        self.render(self.run_folder, other, "-o", "a.png")
        self.assertEqual(read_png(self.path("a.png"))[:2], (64, 36))

    def test_a_floor_is_the_ground_of_its_own_run_alone(self):
        """A beam far below the floor of another run: its panel is as it is without that floor."""
        def scene(height, obstacles):
            value = beam(steps=2, obstacles=obstacles, contact={"method": "barrier"},
                         pin=[{"all": True}], probes=[])
            value["bodies"][0]["transform"] = {"translate": [0, height, 0]}
            return value
        floor = [{"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
        high = self.run_scene(scene(1, floor), out="high")
        low = self.run_scene(scene(-3, []), out="low")
        free = self.run_scene(scene(1, []), out="free")
        view = ("--camera", "0,3,14/0,-1,0/40", "--captions", "a,b", "--size", "128x36")
        panels = {}
        for name, runs in (("floor", (high, low)), ("none", (free, low))):
            self.succeed("render", *runs, "-o", f"{name}.png", "--samples", "4", "--quiet", *view)
            width, height, pixels = read_png(self.path(f"{name}.png"))
            rows = unfiltered(pixels, width, height)
            panels[name] = [row[3 * 64:] for row in rows]
        self.assertEqual(panels["floor"], panels["none"])

    def test_colours_do_not_depend_on_the_name_of_the_folder(self):
        scene = beam(steps=2)
        pixels = set()
        for out in ("one", "two", "three"):
            self.render(self.run_scene(scene, out=out), "-o", "a.png")
            pixels.add(read_png(self.path("a.png"))[2])
        self.assertEqual(len(pixels), 1)

    def test_a_time_just_beyond_the_end_is_the_end(self):
        self.render(self.run_folder, "-o", "a.png", "--time", "0.109")
        self.render(self.run_folder, "-o", "b.png", "--frame", "last")
        self.assertEqual(read_png(self.path("a.png")), read_png(self.path("b.png")))

    def test_mistakes_are_answered(self):
        good = (self.run_folder, "-o", "a.png")
        for words, said in (
                (("nowhere", "-o", "a.png"), ["nowhere"]),
                ((self.folder, "-o", "a.png"), [self.folder]),
                ((self.run_folder, "-o", "a.bmp"), [".png", ".mp4", "a.bmp"]),
                ((*good, "--size", "640"), ["--size", "640"]),
                ((*good, "--size", "0x36"), ["--size", "0x36"]),
                ((*good, "--size", "99999x36"), ["99999x36"]),
                ((*good, "--camera", "1,2/3"), ["--camera", "1,2/3"]),
                ((*good, "--camera", "1,2,3/1,2,3"), ["--camera"]),
                ((*good, "--color", "taste"), ["--color", "taste", "known: body, velocity, stress"]),
                ((*good, "--color", "stres"), ["--color", 'did you mean "stress"?']),
                ((*good, "--color", "contact_force"), ['"barrier", "qp" or "unilateral"']),
                ((f"{Render.kept}/scene.json", "-o", "a.png"), ["scene file", "pliant run"]),
                ((*good, "--time", "5"), ["--time", "0.1 s", "5"]),
                ((*good, "--time", "0.111"), ["--time"]),
                ((*good, "--time", "-1"), ["--time"]),
                ((*good, "--frame", "99"), ["--frame", "5"]),
                ((*good, "--frame", "0", "--time", "0"), ["exclude"]),
                ((*good, "--range", "3,1", "--color", "stress"), ["--range"]),
                ((*good, "--captions", "a,b"), ["--captions"]),
                ((self.run_folder, "-o", "a.mp4", "--time", "0"), ["film"]),
                ((self.run_folder, "-o", "a.mp4", "--size", "65x36"), ["even"])):
            self.refuse(2, "render", *words, words=said)
        self.assertEqual(os.listdir(self.folder), [])
        self.refuse(2, "render", self.run_folder, "-o", self.write("file", "") + "/a.png", *SMALL,
                    words=["is a file"])


class Films(Render):
    def test_a_film_has_its_pictures_and_its_size(self):
        for name, extra, frames in (("a.mp4", (), 4), ("b.webm", (), 4), ("c.gif", (), 4),
                                    ("d.mp4", ("--speed", "0.25", "--fps", "20"), 9)):
            self.render(self.run_folder, "-o", name, *extra)
            film = self.probe(name)
            self.assertEqual((film["width"], film["height"]), (64, 36), name)
            self.assertEqual(int(film["nb_read_frames"]), frames, name)
        self.assertEqual(self.probe("a.mp4")["pix_fmt"], "yuv420p")
        self.assertEqual(self.probe("d.mp4")["r_frame_rate"], "20/1")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mp4", "b.webm", "c.gif", "d.mp4"])

    def test_without_ffmpeg_it_says_so_and_leaves_nothing(self):
        self.refuse(2, "render", self.run_folder, "-o", "a.mp4", *SMALL, words=["ffmpeg", ".png"],
                    before=lambda: os.environ.update(PATH=""))
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_ffmpeg_says_is_passed_on(self):
        tool = self.write("ffmpeg", "#!/bin/sh\necho the disk is made of cheese >&2\nexit 1\n")
        os.chmod(tool, 0o755)
        self.refuse(5, "render", self.run_folder, "-o", "films/a.mp4", *SMALL, words=["cheese", "a.mp4"],
                    before=lambda: os.environ.update(PATH=f"{self.folder}:{os.environ['PATH']}"))
        self.assertEqual(os.listdir(self.path("films")), [])

    def test_an_interruption_leaves_no_half_film(self):
        process = self.start("render", self.run_folder, "-o", "films/a.mp4", "--speed", "1e-4", *SMALL)
        there = lambda: os.path.isdir(self.path("films")) and os.listdir(self.path("films"))
        self.assertTrue(pliant_cli.wait_for(there, process))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, said)
        self.assertEqual(os.listdir(self.path("films")), [])


if __name__ == "__main__":
    pliant_cli.main()
