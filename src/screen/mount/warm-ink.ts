import {mountOnPainter} from './mount.tsx';
import {NoRows, TwoRows} from './small-trees.tsx';
import type {Frame, ViewOptions} from './view.ts';

/**
Each function renders a small invisible tree, and returns a function that removes the tree. V8 compiles a function at
its first call. Without these trees, all this compiling would delay the first frame of the screen.
*/
export const warmUps: ReadonlyArray<(options: ViewOptions) => () => void> = [NoRows, TwoRows].map(
	component => options => mountOnPainter(component, nowhere, {...options, frame}).unmount,
);

const nowhere = {start() {}, stop() {}, paint() {}, forget() {}};

const frame: Frame = {size: {columns: 4, rows: 2}, cursor: {x: 0, y: 0}};
