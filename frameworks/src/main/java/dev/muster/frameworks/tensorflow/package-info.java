/** TensorFlow: TF_CONFIG for MultiWorkerMirroredStrategy and ParameterServerStrategy. */
package dev.muster.frameworks.tensorflow;
