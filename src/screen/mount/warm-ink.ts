import {mountOnPainter} from './mount.tsx';
import {NoRows, TwoRows} from './small-trees.tsx';
import type {Frame, ViewOptions} from './view.ts';

/**
Each draws a small tree that nobody sees, and returns the function that removes it. V8 compiles a function at its first
call, so the first frame of the screen would otherwise take as long as all slices together.
*/
export const warmUps: ReadonlyArray<(options: ViewOptions) => () => void> = [NoRows, TwoRows].map(
	component => options => mountOnPainter(component, nowhere, {...options, frame}).unmount,
);

const nowhere = {start() {}, stop() {}, paint() {}, forget() {}};

const frame: Frame = {size: {columns: 4, rows: 2}, cursor: {x: 0, y: 0}};
