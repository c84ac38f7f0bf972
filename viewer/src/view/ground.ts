// The grid on the ground: a round spacing that fits the scene's size, at y = 0 unless the bodies
// hang below it.
import * as THREE from "three";

export interface Bounds {
  low: THREE.Vector3;
  high: THREE.Vector3;
}

export function gridSpacing(size: number): number {
  const rough = Math.max(size, 1e-6) / 6;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  return power * (rough >= 5 * power ? 5 : rough >= 2 * power ? 2 : 1);
}

export function groundHeight(low: number, size: number): number {
  return low < -0.02 * size ? low - 0.02 * size : 0;
}

export class Ground {
  private grid: THREE.GridHelper | null = null;
  visible = true;

  constructor(private readonly scene: THREE.Scene) {}

  place(bounds: Bounds, colours: { strong: number; weak: number }): void {
    if (this.grid) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const size = bounds.high.distanceTo(bounds.low);
    const spacing = gridSpacing(size);
    const lines = 2 * Math.ceil((1.6 * size) / spacing);
    this.grid = new THREE.GridHelper(lines * spacing, lines, colours.strong, colours.weak);
    const middle = bounds.low.clone().add(bounds.high).multiplyScalar(0.5);
    const snap = (x: number): number => Math.round(x / spacing) * spacing;
    this.grid.position.set(snap(middle.x), groundHeight(bounds.low.y, size), snap(middle.z));
    this.grid.visible = this.visible;
    this.scene.add(this.grid);
  }

  show(visible: boolean): void {
    this.visible = visible;
    if (this.grid) this.grid.visible = visible;
  }
}
