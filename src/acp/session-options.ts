import type {SessionConfigOption, SessionModeState, SessionUpdate} from '@agentclientprotocol/sdk';
import {
	approvalModes,
	efforts,
	type ModelInfo,
	type PodClient,
	type SessionInfo,
	type Status,
} from '../pod/protocol.ts';
import {optionTexts} from './texts.ts';

/** The options of a session that an editor shows and sets: model, effort and approval mode. */
export type SessionOptions = {
	config(): SessionConfigOption[];
	modes(): SessionModeState;
	/** Sets an option. Returns a sentence if that failed, or `unknown` if there is no such option. */
	set(id: string, value: string): Promise<string | undefined>;
	setModels(models: readonly ModelInfo[]): void;
	/** Updates the options from an event, and reports the changes to the editor. */
	follow(session: SessionInfo | undefined, status: Status): void;
};

export const unknownOption = 'unknown';

export function createSessionOptions(
	pod: Pick<PodClient, 'send'>,
	update: (update: SessionUpdate) => void,
): SessionOptions {
	let models: readonly ModelInfo[] = [];
	let session: SessionInfo | undefined;
	let status: Status | undefined;
	let told: string | undefined;

	const current = () => status?.nextModel ?? session?.model ?? '';
	const effort = () => (status?.nextModel === undefined ? session?.effort : status.nextEffort);
	const mode = () => status?.approval ?? 'ask';

	function config(): SessionConfigOption[] {
		return [modelOption(current(), models), ...effortOption(effort(), current(), models), modeOption(mode())];
	}

	function tellChanges(): void {
		const now = JSON.stringify(config());
		if (told !== undefined && told !== now) {
			update({sessionUpdate: 'config_option_update', configOptions: config()});
			update({sessionUpdate: 'current_mode_update', currentModeId: mode()});
		}
		told = now;
	}

	return {
		config,
		modes: () => ({
			currentModeId: mode(),
			availableModes: approvalModes.map(id => ({id, ...optionTexts.modes[id]})),
		}),
		async set(id, value) {
			const method = methodOf(id, value, current());
			if (method === undefined) return unknownOption;
			const receipt = await pod.send(method);
			return receipt.accepted ? undefined : receipt.sentence;
		},
		setModels(next) {
			models = next;
			if (session !== undefined) tellChanges();
		},
		follow(nextSession, nextStatus) {
			session = nextSession ?? session;
			status = nextStatus;
			tellChanges();
		},
	};
}

const ownEffort = 'default';

function methodOf(id: string, value: string, model: string): Parameters<PodClient['send']>[0] | undefined {
	if (id === 'model') return {method: 'model', name: value};
	if (id === 'effort') {
		const effort = efforts.find(each => each === value);
		if (effort === undefined && value !== ownEffort) return undefined;
		return {method: 'model', name: model, effort};
	}
	const mode = id === 'approval' ? approvalModes.find(each => each === value) : undefined;
	return mode === undefined ? undefined : {method: 'approval', mode};
}

function modelOption(current: string, models: readonly ModelInfo[]): SessionConfigOption {
	const usable = models.filter(({missing}) => missing === undefined).slice(0, maxModels);
	const isListed = usable.some(({name}) => name === current);
	const options = usable.map(({name, label = name}) => ({value: name, name: label}));
	return {
		type: 'select',
		id: 'model',
		category: 'model',
		name: optionTexts.model,
		currentValue: current,
		options: isListed ? options : [{value: current, name: current}, ...options],
	};
}

const maxModels = 200;

function effortOption(
	effort: string | undefined,
	model: string,
	models: readonly ModelInfo[],
): readonly SessionConfigOption[] {
	const known = models.find(({name}) => name === model)?.efforts ?? [];
	if (known.length === 0 && effort === undefined) return [];
	const levels = effort === undefined || known.some(level => level === effort) ? known : [effort, ...known];
	return [
		{
			type: 'select',
			id: 'effort',
			category: 'thought_level',
			name: optionTexts.effort,
			currentValue: effort ?? ownEffort,
			options: [
				{value: ownEffort, name: optionTexts.ownEffort},
				...levels.map(level => ({value: level, name: level})),
			],
		},
	];
}

function modeOption(mode: string): SessionConfigOption {
	return {
		type: 'select',
		id: 'approval',
		category: 'mode',
		name: optionTexts.approval,
		currentValue: mode,
		options: approvalModes.map(value => ({value, ...optionTexts.modes[value]})),
	};
}
