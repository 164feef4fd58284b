import {compose, type ComposeOptions, type Picture} from './compositor.ts';

/** Shows pictures on a terminal, between `start` and `stop`; at other times it writes nothing. */
export type Painter = {
	start(): void;
	stop(): void;
	paint(picture: Picture): void;
	/** What the terminal shows is unknown from now on: the next picture is written whole. */
	forget(): void;
};

export type ScreenStreams = {readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream};

/** The painter of the full screen: of each picture what the one before it did not show, in one write. */
export function createPainter(stdout: {write(bytes: string): unknown}, options: ComposeOptions): Painter {
	let shown: Picture | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
			shown = undefined;
		},
		stop() {
			isOn = false;
		},
		paint(picture) {
			if (!isOn) return;
			const bytes = compose(shown, picture, options);
			shown = picture;
			if (bytes !== '') stdout.write(bytes);
		},
		forget() {
			shown = undefined;
		},
	};
}
