import {describe, expect, it} from 'vitest';
import {cardStage, type CardStage} from '../../../helpers/card-stage.ts';
import {seededRandom} from '../../../helpers/random.ts';
import {running} from '../../../helpers/fake-app.ts';
import {approval} from './shown-card.ts';

/** A key of a script: its bytes, and the time since the previous key. */
type Stroke = {readonly key: string; readonly after: number};

type Answered = {readonly card: number; readonly at: number; readonly choice: string; readonly reason?: string};

type Played = {
	readonly stage: CardStage;
	readonly answered: readonly Answered[];
	/** The times at which the cards were drawn. */
	readonly drawn: readonly number[];
	readonly pressed: ReadonlyArray<{readonly key: string; readonly at: number}>;
};

/** The clock advances by at most this number of milliseconds, so that each card appears in time. */
const step = 20;

/** Plays keys on a chain of cards. `latencies` are the times from an answer to the next card. */
async function played(strokes: readonly Stroke[], latencies: readonly number[]): Promise<Played> {
	const stage = await cardStage({...approval, title: 'card 0'});
	const {app, pod, pass} = stage;
	const drawn = [0];
	const answered: Answered[] = [];
	const pressed: Array<{readonly key: string; readonly at: number}> = [];
	let next = Infinity;
	pod.answer = async method => {
		if (method.method !== 'answer') return {accepted: true};
		const {choice, reason} = method;
		const at = app.options.now();
		answered.push({card: drawn.length - 1, at, choice, ...(reason !== undefined && {reason})});
		stage.turn(running);
		next = drawn.length <= latencies.length ? at + (latencies[drawn.length - 1] ?? 0) : Infinity;
		return {accepted: true};
	};
	const go = async (ms: number) => {
		const end = app.options.now() + ms;
		for (let now = app.options.now(); now < end; now = app.options.now()) {
			await pass(Math.max(0, Math.min(end - now, next - now, step)));
			if (app.options.now() < next) continue;
			next = Infinity;
			stage.show({...approval, id: `card ${drawn.length}`, title: `card ${drawn.length}`});
			drawn.push(app.options.now());
		}
	};
	for (const {key, after} of strokes) {
		await go(after);
		pressed.push({key, at: app.options.now()});
		stage.read(key);
	}
	for (let second = 0; second < 5; second++) await go(1000);
	return {stage, answered, drawn, pressed};
}

const every = (ms: number, count: number): readonly Stroke[] =>
	Array.from({length: count}, () => ({key: '1', after: ms}));

describe('a chain of cards', () => {
	it.each([5, 60, 190])('takes five digits that are pressed 600 ms apart, with %i ms between the cards', async ms => {
		const {answered, stage} = await played(every(600, 5), [ms, ms, ms, ms]);
		expect(answered.map(({choice}) => choice)).toEqual(['allow', 'allow', 'allow', 'allow', 'allow']);
		expect(stage.text()).toBe('');
	});

	it.each([150, 300])('gets no message, denial or reason from digits that are pressed %i ms apart', async ms => {
		const result = await played([...every(ms, 5), {key: '\r', after: ms}], [60, 60, 60, 60]);
		expect(wrongIn(result)).toEqual([]);
	});

	const first = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
	it(`is answered only by keys that came after the card was drawn, at any times (INKPOD_SEED=${first})`, async () => {
		const runs = process.env['INKPOD_TEST'] === 'long' ? 2000 : 60;
		for (let seed = first; seed < first + runs; seed++) {
			const random = seededRandom(seed);
			const upTo = (max: number) => Math.floor(random() * max);
			const hasEnter = random() < 0.5;
			const strokes = Array.from({length: 3 + upTo(8)}, (): Stroke[] => [
				{key: random() < 0.7 ? '1' : '2', after: upTo(random() < 0.5 ? 300 : 900)},
				...(hasEnter && random() < 0.5 ? [{key: '\r', after: 45 + upTo(350)}] : []),
			]).flat();
			// A digit and Enter without a card in the next 400 ms are a message.
			const latencies = Array.from({length: 12}, () => upTo(random() < 0.7 ? 100 : hasEnter ? 400 : 1500));
			const result = await played(strokes, latencies);
			expect(wrongIn(result), `INKPOD_SEED=${seed} ${JSON.stringify({strokes, latencies})}`).toEqual([]);
		}
	});
});

/** Returns what went wrong: messages, denials, reasons, and answers that no key explains. */
function wrongIn({stage, answered, drawn, pressed}: Played): readonly string[] {
	const messages = stage.pod.said.filter(({method}) => method !== 'answer').map(({method}) => method);
	const unexplained = answered.filter(({card, at, choice}) => {
		const since = drawn[card] ?? Infinity;
		const digit = choice === 'allow' ? '1' : '2';
		const isPressed = pressed.some((press, index) => {
			if (press.key !== digit || press.at < since) return false;
			const following = pressed[index + 1];
			return press.at + 400 <= at || (following?.key === '\r' && following.at <= at);
		});
		return !isPressed || at < since + 400;
	});
	return [
		...messages.map(method => `sent ${method}`),
		...answered
			.filter(({choice, reason}) => choice === 'deny' || reason !== undefined)
			.map(each => `denied by ${each.at}`),
		...unexplained.map(({card, at}) => `card ${card} was answered at ${at} by no key`),
	];
}
