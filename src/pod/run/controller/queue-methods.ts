import type {QueueMessage, Receipt, Segment} from '../../protocol.ts';
import {gone, type Entry, type MessageQueue} from '../queue/message-queue.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type Jobs} from '../status/job.ts';
import type {Methods} from './methods.ts';
import {orInternalError, refuse} from './methods.ts';
import type {RunOptions} from './run-methods.ts';

export type QueueOptions = Pick<RunOptions, 'turns' | 'shell' | 'steering'> & {
	readonly hub: Hub;
	readonly queue: MessageQueue;
	/** Whether the pod sends queued messages by itself. In print mode, they wait for the user. */
	readonly sendsQueue: boolean;
};

/** The methods that change the queue. */
type QueueMethods = Pick<
	Methods,
	'queue' | 'steer' | 'steer_queued' | 'send_queued' | 'move_queued' | 'take_queued' | 'release_queued' | 'requeue'
>;

export function createQueueMethods(options: QueueOptions, jobs: Jobs, sender: QueueSender): QueueMethods {
	const {hub, queue, steering, sendsQueue} = options;
	const currentRun = () => {
		const job = jobs.current();
		return job?.kind === 'run' ? job.signal : undefined;
	};

	async function add(message: QueueMessage, steer: boolean): Promise<Receipt> {
		const receipt = await queue.add(message);
		const entry = receipt.accepted ? queue.get(message.id) : undefined;
		if (entry?.state !== 'queued') return receipt;
		const run = steer && entry.command === undefined ? currentRun() : undefined;
		if (run !== undefined) void sender.steer(entry, run);
		else if (sendsQueue && hub.status().kind === 'idle') sender.sendNext();
		return receipt;
	}

	async function steerUnstored(segments: readonly Segment[], run: AbortSignal): Promise<Receipt> {
		const id = crypto.randomUUID();
		// `addUnstored` emits an event, and a client may send another message in response. So this message must be
		// added first.
		const steered = orInternalError(steering.add(segments, run));
		queue.addUnstored({id, segments});
		try {
			return await steered;
		} finally {
			queue.remove(id);
		}
	}

	return {
		queue: async ({message: id, segments, command, steer = false}) => add({id, segments, command}, steer),
		async steer({segments}) {
			const run = currentRun();
			return run === undefined ? refuse('not_running') : steerUnstored(segments, run);
		},
		async steer_queued({message}) {
			const run = currentRun();
			const entry = queue.get(message);
			if (run === undefined) return refuse('not_running');
			if (entry?.state !== 'queued' || entry.command !== undefined) return gone;
			void sender.steer(entry, run);
			return accepted;
		},
		async send_queued() {
			if (jobs.current() !== undefined) return refuse('busy');
			return sender.sendNext() ? accepted : gone;
		},
		move_queued: async ({message, before}) => (queue.move(message, before) ? queue.save() : gone),
		take_queued: async ({messages}) => ({accepted: true, returned: [...queue.take(messages)]}),
		release_queued: async ({message}) => queue.release(message),
		async requeue({messages}) {
			queue.putBack('returned', messages);
			return accepted;
		},
	};
}

/** Sends queued messages as new runs, or adds them to the current run. */
type QueueSender = {
	/** Sends the next message if no job runs. Returns false if it sends none. */
	readonly sendNext: () => boolean;
	/** Adds a message to a run. If the run does not take the message, the message is queued again. */
	readonly steer: (entry: Entry, run: AbortSignal) => Promise<void>;
	/** Called after a job. `mayContinue`: the job was complete, so the pod may send the next message. */
	readonly onRest: (mayContinue: boolean) => void;
};

export function createQueueSender(options: QueueOptions, jobs: Jobs, isClosing: () => boolean): QueueSender {
	const {hub, queue, steering, sendsQueue} = options;

	async function send(entry: Entry): Promise<void> {
		queue.setState(entry.id, 'sending');
		settle(entry.id, 'sending', await orInternalError(begin(entry)));
	}

	async function begin({id, segments, command}: Entry): Promise<Receipt> {
		if (command !== undefined)
			return jobs.begin('shell', 'tools', async signal => options.shell(command, signal, id));
		return jobs.begin('run', 'resolving', async (signal, committed) =>
			options.turns.start({type: 'run', segments, id}, signal, committed),
		);
	}

	/**
	Sets the state of a message after its receipt. A message whose run was stopped is queued again. A refused message
	waits for a client.
	*/
	function settle(id: string, state: 'sending' | 'steering', receipt: Receipt): void {
		if (queue.get(id)?.state !== state) return;
		if (receipt.accepted) {
			queue.remove(id);
			void queue.save();
		} else if (receipt.code === 'aborted') queue.setState(id, 'queued');
		else queue.setState(id, 'refused', {code: receipt.code, sentence: receipt.sentence});
	}

	function sendNext(): boolean {
		const next = jobs.current() === undefined && !isClosing() ? queue.next() : undefined;
		if (next !== undefined) void send(next);
		return next !== undefined;
	}

	return {
		sendNext,
		async steer({id, segments}, run) {
			queue.setState(id, 'steering');
			settle(id, 'steering', await orInternalError(steering.add(segments, run, id)));
		},
		onRest(mayContinue) {
			queue.putBack('steering');
			queue.refuseUnsaved();
			if (mayContinue && sendsQueue && hub.status().kind === 'idle') sendNext();
		},
	};
}
