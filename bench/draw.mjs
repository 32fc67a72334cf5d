// Hands charts to the program that draws them as SVG, which is the one that draws the pages of `redlock bench`.

import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const built = join(dirname(fileURLToPath(import.meta.url)), "../build/release/bench/draw_charts");

/// A file in the folder for each chart, which are described as `draw_charts.cpp` reads them.
export function draw(charts, folder) {
  const program = process.env.REDLOCK_DRAW_CHARTS ?? built;
  const { status, error } = spawnSync(program, [folder], { input: JSON.stringify(charts), stdio: ["pipe", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? `status ${status}`}`);
}
