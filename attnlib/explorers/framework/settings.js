// What the reader can set, as the explorer's class in Python declares it.

/**
 * Of every setting its kind and where it starts; bounds of numbers and of a matrix's entries; how
 * many rows and columns; the options, a label in English and in Chinese for each.
 * @typedef {object} Setting
 * @property {"number" | "whole" | "choice" | "matrix"} kind
 * @property {any} start
 * @property {number} low
 * @property {number} high
 * @property {number} rows
 * @property {number} columns
 * @property {Record<string, [english: string, chinese: string]>} options
 */

/** @typedef {Record<string, Setting>} Settings */

/** Those of the explorer: bundle.py puts them here. @type {Settings} */
export const SETTINGS = {};
