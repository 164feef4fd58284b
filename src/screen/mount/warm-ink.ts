import {Box, Text} from 'ink';
import {createElement, type ReactElement} from 'react';
import {mountOnPainter} from './mount.tsx';
import type {Frame, ViewOptions} from './view.ts';

/**
Each draws a small tree that nobody sees, and returns the function that removes it. V8 compiles a function at its first
call, so the first frame of the screen would otherwise take as long as all slices together.
*/
export const warmUps: ReadonlyArray<(options: ViewOptions) => () => void> = [noRows, twoRows].map(
	component => options => mountOnPainter(component, nowhere, {...options, frame}).unmount,
);

const nowhere = {start() {}, stop() {}, paint() {}, forget() {}};

const size = {columns: 4, rows: 2};

const frame: Frame = {size, cursor: {x: 0, y: 0}};

function noRows(): ReactElement {
	return createElement(Box, {flexDirection: 'column', width: size.columns, height: size.rows});
}

function twoRows(): ReactElement {
	const rows = ['a', 'b'].map(text => createElement(Text, {key: text, wrap: 'truncate'}, text));
	return createElement(Box, {flexDirection: 'column', width: size.columns, height: size.rows}, ...rows);
}
