import {cpSync} from 'node:fs';
import {mkdtemp} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {messageIdOf, type Method, type Receipt} from '../../../../src/pod/protocol.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {systemClock, type Model} from '../../../../src/worker/index.ts';
import {testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {answer, says} from '../../../helpers/event-model.ts';
import {text} from './queue-stage.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);

/** A model that answers every request in a few turns of the event loop. */
const model: Model = {
	name: 'told/model',
	async *stream(_, signal) {
		for (const event of answer(says('Some ', 'words.'))) {
			await new Promise(resolve => setImmediate(resolve));
			if (signal.aborted) return;
			yield event;
		}
	},
};

/** A terminal. `saved` are the ids in its draft on disk, and `own` the ids of messages that are its draft. */
type Terminal = {readonly saved: Set<string>; readonly own: Set<string>};

/** Two terminals on one session, which is killed and opened again. */
class Stage {
	readonly terminals: readonly Terminal[] = [newTerminal(), newTerminal()];
	readonly ids: string[] = [];
	#project: TempProject;
	#told: TestPod;
	#life = 0;
	/** Resolves when the terminals are open again. Each step waits for it. */
	ready: Promise<void> = Promise.resolve();

	constructor(project: TempProject, told: TestPod) {
		this.#project = project;
		this.#told = told;
	}

	/** Sends a method. Resolves with nothing if the process is killed first. */
	async #send(method: Method): Promise<Receipt | undefined> {
		const life = this.#life;
		const receipt = await this.#told.pod.send(method);
		return life === this.#life ? receipt : undefined;
	}

	async queue({saved, own}: Terminal, steer: boolean): Promise<void> {
		const message = `m${this.ids.length}`;
		this.ids.push(message);
		saved.add(message);
		const receipt = await this.#send({method: 'queue', message, segments: text('same'), steer});
		if (receipt === undefined) return;
		saved.delete(message);
		if (!receipt.accepted) own.add(message);
	}

	/** Takes messages. `releases`: the terminal does not end before it has released them. */
	async take(terminal: Terminal, method: Method, releases: boolean): Promise<void> {
		const receipt = await this.#send(method);
		const ids = receipt?.accepted === true ? (receipt.returned ?? []).map(({id}) => id) : [];
		if (!releases) {
			await this.#send({method: 'requeue', messages: ids});
			return;
		}
		for (const id of ids) terminal.saved.add(id);
		await Promise.all(ids.map(async id => this.#release(terminal, id)));
	}

	async #release({saved, own}: Terminal, message: string): Promise<void> {
		const receipt = await this.#send({method: 'release_queued', message});
		if (receipt === undefined) return;
		saved.delete(message);
		if (receipt.accepted) own.add(message);
	}

	async other(method: Method): Promise<void> {
		await this.#send(method);
	}

	async move(one: number, other: number): Promise<void> {
		const {queue} = this.#told.status();
		const [moved, before] = [queue[one % (queue.length || 1)], queue[other % (queue.length || 1)]];
		if (moved !== undefined && before !== undefined)
			await this.#send({method: 'move_queued', message: moved.id, before: before.id});
	}

	/** Continues with a copy of the files of this moment, as after a kill. */
	async kill(): Promise<void> {
		const parent = await mkdtemp(join(this.#project.dir, '..', 'life-'));
		this.ready = this.#continueIn(parent);
		await this.ready;
	}

	async #continueIn(parent: string): Promise<void> {
		this.#life++;
		const {session, pod} = this.#told;
		const dir = join(parent, basename(session.dir));
		cpSync(session.dir, dir, {recursive: true});
		await pod.send({method: 'shutdown'});
		const opened = await openSession(dir, systemClock());
		if (!opened.ok) throw new Error(opened.sentence);
		this.#told = await testPod(this.#project, {model, session: opened.session});
		const known = new Set([...this.delivered(), ...this.queued()]);
		for (const {saved, own} of this.terminals) {
			for (const id of saved) if (!known.has(id)) own.add(id);
			saved.clear();
		}
	}

	/** Sends the queue to its end. */
	async finish(): Promise<void> {
		if (this.#told.status().kind === 'paused') await this.#send({method: 'resume'});
		else await this.#send({method: 'send_queued'});
		await this.#told.until(() => this.#told.status().kind === 'idle' && this.queued().length === 0);
	}

	queued(): string[] {
		return this.#told.status().queue.map(({id}) => id);
	}

	delivered(): string[] {
		return this.#told.items().flatMap(item => messageIdOf(item) ?? []);
	}
}

function newTerminal(): Terminal {
	return {saved: new Set(), own: new Set()};
}

type Step = (stage: Stage) => Promise<void>;

const terminal = fc.integer({min: 0, max: 1});
const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.tuple(terminal, fc.boolean()).map(
			([at, steer]): Step =>
				async stage =>
					stage.queue(stage.terminals[at]!, steer),
		),
	},
	fc.tuple(fc.nat(5), fc.nat(5)).map(
		([one, other]): Step =>
			async stage =>
				stage.move(one, other),
	),
	fc
		.tuple(terminal, fc.constantFrom<Method>({method: 'take_queued'}, {method: 'cancel', take: true}), fc.boolean())
		.map(
			([at, method, releases]): Step =>
				async stage =>
					stage.take(stage.terminals[at]!, method, releases),
		),
	fc.constantFrom<Method['method'] & ('pause' | 'resume' | 'send_queued')>('pause', 'resume', 'send_queued').map(
		(method): Step =>
			async stage =>
				stage.other({method}),
	),
);

/** Steps at once, after some turns of the event loop, and then perhaps a kill. */
const scene = fc.record({
	steps: fc.array(fc.tuple(fc.nat(6), step), {minLength: 1, maxLength: 6}),
	turns: fc.nat(30),
	kill: fc.boolean(),
});

describe('the queue of two terminals whose process is killed at any moment', () => {
	it(`has each message in exactly one place, and sends each at most once (seed ${seed})`, async () => {
		const project = await tempProject();
		await fc.assert(
			fc.asyncProperty(fc.array(scene, {minLength: 1, maxLength: 4}), async scenes => {
				const told = await testPod(project, {model});
				await told.run('go');
				const stage = new Stage(project, told);
				for (const {steps, turns, kill} of scenes) {
					const done = steps.map(async ([after, take]) =>
						turnsPass(after)
							.then(async () => stage.ready)
							.then(async () => take(stage)),
					);
					await turnsPass(turns);
					if (kill) await stage.kill();
					await Promise.all(done);
				}
				await stage.kill();
				const places = [
					...stage.delivered(),
					...stage.queued(),
					...stage.terminals.flatMap(({own}) => [...own]),
				];
				expect(places.toSorted()).toEqual(stage.ids.toSorted());
				await stage.finish();
				const end = [...stage.delivered(), ...stage.terminals.flatMap(({own}) => [...own])];
				expect(end.toSorted()).toEqual(stage.ids.toSorted());
			}),
			{seed, numRuns: long ? 1000 : 12},
		);
	});
});

async function turnsPass(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve));
}
