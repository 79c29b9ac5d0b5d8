"""The network: its weights may live in this process or on a parameter server, the code is the same."""

import tensorflow as tf

import fashion_mnist

HIDDEN = 128


class Network(tf.Module):
    """Takes pixels as the files have them (0..255): training and serving cannot scale them differently."""

    def __init__(self, seed):
        super().__init__()
        first, second = (tf.random.stateless_normal(shape, (seed, seed)) * (2 / shape[0]) ** 0.5
                         for shape in ((784, HIDDEN), (HIDDEN, 10)))
        self.hidden, self.hidden_bias = tf.Variable(first), tf.Variable(tf.zeros(HIDDEN))
        self.out, self.out_bias = tf.Variable(second), tf.Variable(tf.zeros(10))

    def __call__(self, images):
        pixels = tf.reshape(tf.cast(images, tf.float32), (-1, 784)) / 255
        hidden = tf.nn.relu(pixels @ self.hidden + self.hidden_bias)
        return hidden @ self.out + self.out_bias


def copy_of(network):
    """The same weights in this process, away from the parameter server."""
    copy = Network(0)
    for here, there in zip(copy.variables, network.variables):
        here.assign(there.numpy())
    return copy


def accuracy(network, rows):
    return float((network(rows.images).numpy().argmax(1) == rows.labels).mean())


def export(network, target):
    """A SavedModel from pixels to probabilities."""
    @tf.function(input_signature=[tf.TensorSpec((None, 28, 28), tf.float32, "image")])
    def classify(image):
        return {"probabilities": tf.nn.softmax(network(image))}

    tf.saved_model.save(network, str(target), signatures=classify)
    (target / "classes.txt").write_text("\n".join(fashion_mnist.CLASSES) + "\n")


@tf.function
def fingerprint(network):
    """A digest that TensorFlow computes wherever it is asked to: the workers have no Python that could."""
    content = tf.strings.join([tf.io.serialize_tensor(variable.read_value()) for variable in network.variables])
    return tf.bitcast(tf.fingerprint([content])[0], tf.int64)
