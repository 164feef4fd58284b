import {createStore} from 'zustand/vanilla';
import {createPickerEffects, type EffectOptions} from './picker-effects.ts';
import {pick, type PickerAction, type PickerState} from './picker-state.ts';

/** The store of the picker's state. Only `dispatch` changes it. */
export type PickerStore = {
	readonly state: PickerState;
	readonly dispatch: (action: PickerAction) => void;
	/** Stops pending work. */
	readonly stop: () => void;
};

export type PickerStoreOptions = Omit<EffectOptions, 'dispatch'> & {readonly onChange: () => void};

export function createPickerStore(first: PickerState, {onChange, ...services}: PickerStoreOptions): PickerStore {
	const store = createStore<PickerState>(() => first);
	const effects = createPickerEffects({...services, dispatch});
	effects.follow(first);

	function dispatch(action: PickerAction): void {
		store.setState(pick(store.getState(), action), true);
		effects.follow(store.getState());
		onChange();
	}

	return {
		get state() {
			return store.getState();
		},
		dispatch,
		stop: () => effects.stop(),
	};
}
