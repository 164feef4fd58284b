import {pictureOfRows} from '../screen/first-picture.ts';
import {createFullScreenOf} from '../screen/full-screen.ts';
import type {Views} from '../screen/view.ts';
import {pickerRows, type PickerView} from './picker-view.ts';

/** The views of the picker. Their components are loaded after the first picture. */
export const pickerViews: Views<PickerView> = {
	full: (painter, options) =>
		createFullScreenOf(painter, options, {
			picture: (frame, theme) => pictureOfRows(pickerRows(frame), frame, theme),
			load: async () => (await import('./show-picker.ts')).mountPicker,
		}),
	inline: async () => (await import('./show-picker.ts')).createInlinePicker,
	spoken: async () => (await import('./show-picker.ts')).createSpokenPicker,
};
