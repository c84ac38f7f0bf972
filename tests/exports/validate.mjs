// Prints the report of the Khronos Group's validator on a .glb or .gltf file as JSON.
import fs from "node:fs";
import path from "node:path";
import validator from "gltf-validator";

const file = process.argv[2];
const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
  uri: path.basename(file),
  maxIssues: 0,
  externalResourceFunction: async (uri) =>
    new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
});
console.log(JSON.stringify(report));
